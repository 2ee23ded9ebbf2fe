/* SPDX-License-Identifier: MIT */
/* Reads the mesh of a room from its model file and assigns a material of the room to each name in
 * it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "geometry/mesh_materials.h"
#include "geometry/mesh_read.h"
#include "room/reader.h"

/* Prefixes the message in r->error with its location in the room file. */
static int refuse_model(struct reader *r)
{
    char where[512];
    const struct error why = *r->error;
    if (why.code != ERROR_INPUT)
        return -1;
    r->refused = r->room->geometry.origin;
    return fail(r->error, ERROR_INPUT, "%s: room.geometry: %s", origin_text(&r->refused, "", where, sizeof where),
                why.message);
}

/* Matches the names in the model with materials by the first rule that applies. The default is a
 * last rule for all names. */
static int match_materials(struct reader *r, const char **patterns, const struct material_words *words)
{
    struct room *room = r->room;
    const size_t rules = room->geometry.material_count, names = room->mesh.material_count;
    char where[512], text[600];
    origin_text(&room->geometry.origin, "", where, sizeof where);
    snprintf(text, sizeof text, "%s: room.geometry.materials", where);
    for (size_t i = 0; i < rules; i++)
        patterns[i] = room->geometry.materials[i].name;
    patterns[rules] = "*";
    const struct mesh_naming naming = {.patterns = patterns,
                                       .pattern_count = rules + (room->geometry.fallback != SIZE_MAX),
                                       .library = words->names,
                                       .library_count = words->count,
                                       .aliases = words->aliases,
                                       .where = text};
    r->refused = room->geometry.origin;
    if (mesh_match_materials(&room->mesh, &naming, room->mesh_materials, NULL, r->error))
        return -1;
    for (size_t i = 0; i < names; i++) {
        const size_t rule = room->mesh_materials[i];
        if (rule != SIZE_MAX)
            room->mesh_materials[i] = rule == rules ? room->geometry.fallback : room->geometry.materials[rule].material;
    }
    return 0;
}

/* Reads the library only if a message needs its names as suggestions. */
static int name_materials(struct reader *r)
{
    struct room *room = r->room;
    struct material_words words = {.names = NULL};
    const char **patterns = calloc(room->geometry.material_count + 1, sizeof *patterns);
    room->mesh_materials = calloc(room->mesh.material_count + 1, sizeof *room->mesh_materials);
    int result = patterns && room->mesh_materials ? match_materials(r, patterns, &words) : reader_no_memory(r);
    if (result && r->error->code == ERROR_INPUT) {
        result = material_words_list(&words, r) || match_materials(r, patterns, &words) ? -1 : 0;
    }
    free(patterns);
    material_words_free(&words);
    return result;
}

/* Refuses a model with another checksum than the room states. If the room states none, stores that
 * of the model. */
static int check_model(struct reader *r)
{
    struct room *room = r->room;
    char where[512], file[QUOTED], given[QUOTED], found[32];
    snprintf(found, sizeof found, "fnv1a64:%016llx", (unsigned long long)room->mesh.checksum);
    if (!room->geometry.checksum || !*room->geometry.checksum) {
        free(room->geometry.checksum);
        room->geometry.checksum = text_copy(found);
        return room->geometry.checksum ? 0 : reader_no_memory(r);
    }
    if (!strcmp(room->geometry.checksum, found))
        return 0;
    r->refused = room->geometry.origin;
    return fail(r->error, ERROR_INPUT,
                "%s: room.geometry.checksum: %s has the checksum %s, but this room was written for a model with %s; "
                "restore that model, or accept this one with --set 'room.geometry.checksum=\"\"'",
                origin_text(&r->refused, "", where, sizeof where), quoted(file, room->geometry.file), found,
                quoted(given, room->geometry.checksum));
}

int read_geometry(struct reader *r)
{
    struct room *room = r->room;
    double upper[3];
    const struct mesh_options options = {
        .unit = room->geometry.unit, .up = room->geometry.up, .flip = room->geometry.flip};
    if (!room->geometry.file || reader_found_wrong(r, key_find("room", "geometry", 0)))
        return 0;
    if (mesh_read(&room->mesh, room->geometry.file, &options, r->error))
        return refuse_model(r);
    if (check_model(r))
        return -1;
    mesh_bounds(&room->mesh, room->lower, upper);
    for (int axis = 0; axis < 3; axis++)
        room->size[axis] = upper[axis] - room->lower[axis];
    return name_materials(r);
}
