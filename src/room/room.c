/* SPDX-License-Identifier: MIT */
/* Opens and closes the reader, and reads a whole room. */
#include "room/room.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"
#include "room/reader.h"

/* Values without a line have only the file as their origin. */
static int fill_origins(struct reader *r)
{
    struct origin whole = {.file = reader_keep(r, r->room->path)};
    struct origin *origins[] = {&r->room->size_origin, &r->room->grid.origin, &r->room->geometry.origin,
                                &r->room->duration_origin, &r->room->score_origin};
    if (!whole.file)
        return reader_no_memory(r);
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++)
        if (!origins[i]->file)
            *origins[i] = whole;
    return 0;
}

int reader_open(struct reader *r, const char *path, struct error *e)
{
    *r = (struct reader){.error = e, .room = calloc(1, sizeof *r->room)};
    config_init(&r->config);
    library_init(&r->materials, "rooms/materials.cfg", "materials");
    library_init(&r->instruments, "rooms/instruments.cfg", "presets");
    if (r->room)
        r->room->path = text_copy(path);
    r->folder = path_folder(path);
    return r->room && r->room->path && r->folder ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", path);
}

void reader_close(struct reader *r)
{
    room_free(r->room);
    config_destroy(&r->config);
    library_free(&r->materials);
    library_free(&r->instruments);
    for (size_t i = 0; i < r->inclusion_count; i++)
        free(r->inclusions[i].path);
    free(r->inclusions);
    diagnostics_free(&r->diagnostics);
    free(r->folder);
    free(r->former_folder);
}

/* Passes the room to the caller, or reports all mistakes; closes the reader. */
static int finish_reading(struct reader *r, struct room **room, int status)
{
    status = reader_tell(r, status);
    *room = status ? NULL : r->room;
    if (!status) {
        materials_set_air(r->room);
        r->room = NULL;
    }
    reader_close(r);
    return status ? -1 : 0;
}

static int refuse_plan(struct reader *r, const config_setting_t *root)
{
    if (!member_of(root, "base") || !(member_of(root, "vary") || member_of(root, "rooms")))
        return 0;
    return fail(r->error, ERROR_INPUT,
                "%s: is a plan of many rooms, not a room file; render it with aula batch %s -o FOLDER", r->room->path,
                r->room->path);
}

/* Reads and checks the room in the loaded tree. */
static int read_tree(struct reader *r)
{
    const config_setting_t *root = config_root_setting(&r->config);
    if (refuse_plan(r, root))
        return -1;
    if (read_place(r, &(struct place){.group = "", .setting = root, .base = (char *)r->room, .around = root}))
        return -1;
    r->room->sized_by_points = r->room->points[0] > 0;
    return check_room(r) || fill_origins(r) ? -1 : 0;
}

int room_read_varied(struct room **room, const char *path, const char *text, const struct room_setting *settings,
                     size_t setting_count, bool unplaced, struct error *e)
{
    struct error ignored; /* the reader quotes its own messages, so it needs one */
    struct reader r;
    int status = reader_open(&r, path, e ? e : &ignored) ||
                 (text ? load_text(&r, &r.config, path, r.folder, text) : load_file(&r, &r.config, path, r.folder));
    r.unplaced = unplaced;
    status = status || former_keys_rename(&r);
    for (size_t i = 0; i < setting_count && !status; i++)
        status = apply_setting(&r, settings[i].text, settings[i].origin);
    status = status || read_tree(&r);
    return finish_reading(&r, room, status);
}

int room_read_text(struct room **room, const char *path, const char *text, const char *const *settings,
                   size_t setting_count, struct error *e)
{
    struct room_setting *list = calloc(setting_count + 1, sizeof *list);
    *room = NULL;
    if (!list)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    for (size_t i = 0; i < setting_count; i++)
        list[i].text = settings[i];
    const int status = room_read_varied(room, path, text, list, setting_count, false, e);
    free(list);
    return status;
}

int room_read(struct room **room, const char *path, const char *const *settings, size_t setting_count, struct error *e)
{
    return room_read_text(room, path, NULL, settings, setting_count, e);
}

int room_read_library(struct room **room, struct error *e)
{
    struct error ignored;
    struct reader r;
    const int status =
        reader_open(&r, "rooms/materials.cfg", e ? e : &ignored) || materials_all(&r) || scattering_classes_all(&r);
    return finish_reading(&r, room, status);
}

int room_read_presets(struct room **room, struct error *e)
{
    struct error ignored;
    struct reader r;
    const int status = reader_open(&r, "rooms/instruments.cfg", e ? e : &ignored) || presets_all(&r) || read_tree(&r);
    return finish_reading(&r, room, status);
}

void event_free(struct event *event)
{
    free(event->force_curve.points);
    free(event->velocity_curve.points);
    free(event->place_curve.points);
    free(event->breath_curve.points);
    event->force_curve = event->velocity_curve = event->place_curve = event->breath_curve = (struct curve){NULL, 0};
}

void room_free(struct room *room)
{
    if (!room)
        return;
    for (size_t i = 0; i < room->material_count; i++)
        material_clear(&room->materials[i]);
    for (size_t i = 0; i < room->scattering_class_count; i++)
        scattering_class_clear(&room->scattering_classes[i]);
    free(room->scattering_classes);
    for (size_t i = 0; i < room->object_count; i++) {
        free(room->objects[i].name);
        free(room->objects[i].corners);
    }
    for (size_t i = 0; i < room->geometry.material_count; i++)
        free(room->geometry.materials[i].name);
    free(room->geometry.materials);
    free(room->geometry.file);
    free(room->geometry.checksum);
    mesh_free(&room->mesh);
    free(room->mesh_materials);
    free(room->corners);
    free(room->heights);
    free(room->sides);
    free(room->plan);
    for (size_t i = 0; i < room->source_count; i++) {
        free(room->sources[i].name);
        free(room->sources[i].file);
        free(room->sources[i].pattern);
        radiation_free(&room->sources[i].radiation);
    }
    for (size_t i = 0; i < room->receiver_count; i++) {
        free(room->receivers[i].name);
        free(room->receivers[i].hrtf);
        hrtf_free(&room->receivers[i].ears);
        free(room->receivers[i].array.positions);
        free(room->receivers[i].array.places);
    }
    for (size_t i = 0; i < room->instrument_count; i++) {
        struct instrument *instrument = &room->instruments[i];
        free(instrument->name);
        free(instrument->preset);
        free(instrument->source);
        free(instrument->body);
        free(instrument->bore);
        free(instrument->holes);
    }
    for (size_t i = 0; i < room->pickup_count; i++)
        free(room->pickups[i].name);
    free(room->about.licence);
    free(room->about.author);
    free(room->about.organisation);
    free(room->about.citation);
    for (size_t i = 0; i < room->file_count; i++)
        free(room->files[i]);
    for (size_t i = 0; i < room->event_count; i++)
        event_free(&room->events[i]);
    free(room->instruments);
    free(room->pickups);
    free(room->events);
    free(room->midi_channels);
    free(room->score_file);
    free(room->objects);
    free(room->materials);
    free(room->sources);
    free(room->receivers);
    free(room->files);
    free(room->path);
    free(room);
}
