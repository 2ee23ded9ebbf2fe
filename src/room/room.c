#include "room/room.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"
#include "room/reader.h"

/* Things that no line says have the file alone as their origin. */
static int fill_origins(struct reader *r)
{
    struct origin whole = {reader_keep(r, r->room->path), 0};
    struct origin *origins[] = {&r->room->size_origin, &r->room->grid.origin, &r->room->duration_origin};
    if (!whole.file)
        return reader_no_memory(r);
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++)
        if (!origins[i]->file)
            *origins[i] = whole;
    return 0;
}

int room_read(struct room **room, const char *path, const char *const *settings, size_t setting_count, struct error *e)
{
    int result = -1;
    struct error ignored; /* the reader quotes its own messages, so it needs one */
    struct reader r = {.error = e ? e : &ignored};
    config_init(&r.config);
    config_init(&r.library);
    *room = NULL;

    r.room = calloc(1, sizeof *r.room);
    if (!r.room) {
        fail(e, ERROR_MEMORY, "%s: out of memory", path);
        goto fail;
    }
    r.room->path = text_copy(path);
    r.folder = path_folder(path);
    if (!r.room->path || !r.folder) {
        fail(e, ERROR_MEMORY, "%s: out of memory", path);
        goto fail;
    }
    if (load_file(&r, &r.config, path, r.folder))
        goto fail;
    for (size_t i = 0; i < setting_count; i++)
        if (apply_setting(&r, settings[i]))
            goto fail;
    if (read_group(&r, "", config_root_setting(&r.config), r.room, NULL, 0))
        goto fail;
    r.room->sized_by_points = r.room->points[0] > 0;
    if (check_room(&r) || fill_origins(&r))
        goto fail;
    *room = r.room;
    r.room = NULL;
    result = 0;
fail:
    room_free(r.room);
    config_destroy(&r.config);
    config_destroy(&r.library);
    free(r.library_path);
    free(r.folder);
    return result;
}

void room_free(struct room *room)
{
    if (!room)
        return;
    for (size_t i = 0; i < room->material_count; i++)
        material_clear(&room->materials[i]);
    for (size_t i = 0; i < room->source_count; i++) {
        free(room->sources[i].name);
        free(room->sources[i].file);
    }
    for (size_t i = 0; i < room->receiver_count; i++)
        free(room->receivers[i].name);
    for (size_t i = 0; i < room->file_count; i++)
        free(room->files[i]);
    free(room->objects);
    free(room->materials);
    free(room->sources);
    free(room->receivers);
    free(room->files);
    free(room->path);
    free(room);
}
