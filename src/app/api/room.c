/* SPDX-License-Identifier: MIT */
/* Opens rooms, builds their grids and describes them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/text.h"
#include "io/json_build.h"

const char *aula_version(void)
{
    return AULA_VERSION;
}

int aula_version_number(void)
{
    return AULA_HEADER_VERSION;
}

/* Takes a const room because callers cannot see the reference count. */
struct aula_room *room_hold(const struct aula_room *room)
{
    struct aula_room *held = (struct aula_room *)room;
    atomic_fetch_add(&held->holders, 1);
    return held;
}

void room_release(struct aula_room *room)
{
    if (!room || atomic_fetch_sub(&room->holders, 1) > 1)
        return;
    model_free(room->model);
    room_free(room->room);
    free(room->json);
    free(room->note);
    free(room->path);
    free(room->text);
    lines_free(room->settings, room->setting_count);
    free(room);
}

static int note_former_keys(struct aula_room *room, struct error *e)
{
    const struct origin *origin = &room->room->former_keys;
    if (!origin->file)
        return 0;
    room->note = former_keys_note(origin);
    return room->note ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

/* Keeps what the room is read of. */
static int keep_origin(struct aula_room *room, const char *path, const char *text, const char *const *settings,
                       size_t count, struct error *e)
{
    room->path = text_copy(path);
    room->text = text ? text_copy(text) : NULL;
    if (!room->path || !room->text != !text)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (lines_add(&room->settings, &room->setting_count, e, "%s", settings[i]))
            return -1;
    return 0;
}

/* Whether two rooms have the same description. ERROR_MEMORY. */
static int compare(bool *same, struct room *a, struct room *b, struct error *e)
{
    char *one = json_text(room_json(a)), *other = json_text(room_json(b));
    *same = one && other && !strcmp(one, other);
    const int status = one && other ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    free(one);
    free(other);
    return status;
}

int room_read_again(struct room **out, const struct aula_room *from, struct error *e)
{
    bool same = false;
    *out = NULL;
    if (room_read_text(out, from->path, from->text, (const char *const *)from->settings, from->setting_count, e))
        return -1;
    int status = compare(&same, *out, from->room, e);
    if (!status && !same)
        status = fail(e, ERROR_INPUT, "%s: has changed since the room was opened; open it again", from->path);
    if (status) {
        room_free(*out);
        *out = NULL;
    }
    return status;
}

int room_open_made(struct call *call, struct aula_room **out, struct room *made)
{
    struct aula_room *room = calloc(1, sizeof *room);
    if (!room) {
        room_free(made);
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    }
    atomic_init(&room->holders, 1);
    room->room = made;
    room->calibrated = true;
    if (note_former_keys(room, &call->error) || model_make(&room->model, made, &call->error)) {
        room_release(room);
        return -1;
    }
    *out = room;
    return 0;
}

/* Opens the file `path`, or a text named `path`. */
static int open_room(struct call *call, struct aula_room **out, const char *path, const char *text,
                     const char *const *settings, size_t setting_count)
{
    struct error *e = &call->error;
    if (call_check_settings(call, settings, setting_count))
        return -1;
    struct aula_room *room = calloc(1, sizeof *room);
    if (!room)
        return fail(e, ERROR_MEMORY, "out of memory");
    atomic_init(&room->holders, 1);
    const int status = text ? room_read_text(&room->room, path, text, settings, setting_count, e)
                            : room_read(&room->room, path, settings, setting_count, e);
    if (status || keep_origin(room, path, text, settings, setting_count, e) || note_former_keys(room, e) ||
        model_make(&room->model, room->room, e)) {
        room_release(room);
        return -1;
    }
    *out = room;
    return 0;
}

static int open_file(struct call *call, struct aula_room **out, const char *path, const char *const *settings,
                     size_t setting_count)
{
    if (!out)
        return call_refuse_null(call, "room", "the address of a pointer");
    *out = NULL;
    if (call_check_text(call, path, "path", "the name of a room file"))
        return -1;
    return open_room(call, out, path, NULL, settings, setting_count);
}

int aula_room_open(struct aula_room **room, const char *path, const char *const *settings, size_t setting_count,
                   struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, open_file(&call, room, path, settings, setting_count));
}

static int open_text(struct call *call, struct aula_room **out, const char *name, const char *text,
                     const char *const *settings, size_t setting_count)
{
    if (!out)
        return call_refuse_null(call, "room", "the address of a pointer");
    *out = NULL;
    if (call_check_text(call, name, "name", "a name for the text in messages, such as room.cfg") ||
        call_check_text(call, text, "text", "the text of a room file"))
        return -1;
    return open_room(call, out, name, text, settings, setting_count);
}

int aula_room_open_text(struct aula_room **room, const char *name, const char *text, const char *const *settings,
                        size_t setting_count, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, open_text(&call, room, name, text, settings, setting_count));
}

const char *aula_room_json(struct aula_room *room)
{
    struct call call;
    if (!room || room->json || call_begin(&call, NULL))
        return room ? room->json : NULL;
    room->json = json_text(room_json(room->room));
    call_end(&call, 0);
    return room->json;
}

void aula_room_close(struct aula_room *room)
{
    room_release(room);
}

int aula_room_grid(const struct aula_room *room, struct aula_grid *grid)
{
    if (!grid)
        return -1;
    memset(grid, 0, sizeof *grid);
    if (!room)
        return -1;
    const struct grid *g = &room->model->grid;
    memcpy(grid->points, g->points, sizeof grid->points);
    grid->spacing = g->spacing;
    grid->rate = g->rate;
    memcpy(grid->size, g->size, sizeof grid->size);
    grid->sound_speed = g->sound_speed;
    grid->valid_frequency = g->valid_frequency;
    return 0;
}

double aula_room_volume(const struct aula_room *room)
{
    return room ? room->model->space.volume : NAN;
}

size_t aula_room_source_count(const struct aula_room *room)
{
    return room ? room->room->source_count : 0;
}

size_t aula_room_receiver_count(const struct aula_room *room)
{
    return room ? room->room->receiver_count : 0;
}

size_t aula_room_receiver_channels(const struct aula_room *room, size_t receiver)
{
    return receiver < aula_room_receiver_count(room) ? receiver_channels(&room->room->receivers[receiver]) : 0;
}

const char *aula_room_source_name(const struct aula_room *room, size_t source)
{
    return source < aula_room_source_count(room) ? room->room->sources[source].name : NULL;
}

const char *aula_room_receiver_name(const struct aula_room *room, size_t receiver)
{
    return receiver < aula_room_receiver_count(room) ? room->room->receivers[receiver].name : NULL;
}

/* NaN for NULL. */
static void give_position(double to[3], const double *position)
{
    for (size_t axis = 0; to && axis < 3; axis++)
        to[axis] = position ? position[axis] : NAN;
}

int aula_room_source_position(const struct aula_room *room, size_t source, double asked[3], double placed[3])
{
    const bool there = source < aula_room_source_count(room);
    give_position(asked, there ? room->room->sources[source].position : NULL);
    give_position(placed, there ? room->model->sources[room_first_drive(room->room, source)].position : NULL);
    return there ? 0 : -1;
}

int aula_room_receiver_position(const struct aula_room *room, size_t receiver, double asked[3], double placed[3])
{
    const bool there = receiver < aula_room_receiver_count(room);
    give_position(asked, there ? receiver_place(&room->room->receivers[receiver], 0) : NULL);
    give_position(placed, there ? room->model->receivers[room_first_tap(room->room, receiver)].position : NULL);
    return there ? 0 : -1;
}

const char *aula_room_remark(const struct aula_room *room, size_t index)
{
    if (!room)
        return NULL;
    const struct model *m = room->model;
    if (room->note && !index--)
        return room->note;
    if (index < m->note_count)
        return m->notes[index];
    index -= m->note_count;
    return index < m->warning_count ? m->warnings[index] : NULL;
}
