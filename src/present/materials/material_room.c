/* SPDX-License-Identifier: MIT */
#include "present/materials/material_room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "present/materials/layer_words.h"

/* A room whose walls are of the material, defined by this text ("": in the library). */
static int read_text(struct room **room, const char *name, const char *definition, const char *const *settings,
                     size_t setting_count, struct error *e)
{
    char *text = text_format("%sroom: { size = [4.0, 3.0, 2.5]; walls: { default = \"%s\"; }; };\n"
                             "sources: ( { position = [1.0, 1.0, 1.0]; } );\n"
                             "receivers: ( { position = [2.0, 2.0, 1.2]; } );\n",
                             definition, name);
    const int status =
        text ? room_read_text(room, name, text, settings, setting_count, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

/* Messages of the room file begin with the place in a file that nobody wrote: "description:2: material description:
 * layers[1].thickness: why" becomes "layer 2: thickness: why". */
static void simplify(struct error *e)
{
    static const char layers[] = "layers[", found[] = ": material " LAYER_WORDS_MATERIAL ": ";
    char text[sizeof e->message];
    size_t used = 0;
    for (const char *line = e->message; *line && used < sizeof text - 1;) {
        const char *end = line + strcspn(line, "\n"), *at = strstr(line, found);
        int layer, length = 0;
        if (at && at < end) {
            line = at + strlen(found);
            if (!strncmp(line, layers, strlen(layers)) && sscanf(line, "layers[%d]%n", &layer, &length) == 1 &&
                length) {
                line += length;
                used += (size_t)snprintf(text + used, sizeof text - used, "layer %d%s", layer + 1,
                                         *line == '.' ? ": " : "");
                line += *line == '.';
            }
        }
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%.*s", (int)(end - line + (*end == '\n')), line);
        line = end + (*end == '\n');
    }
    snprintf(e->message, sizeof e->message, "%s", text);
}

static int read_description(struct room **room, const char *words, const char *const *settings, size_t setting_count,
                            struct error *e)
{
    char *definition = NULL;
    int status = layer_words_definition(&definition, words, e);
    if (!status) {
        status = read_text(room, LAYER_WORDS_MATERIAL, definition, settings, setting_count, e);
        if (status)
            simplify(e);
    }
    free(definition);
    return status ? -1 : 0;
}

static int read_library(struct room **room, const char *name, const char *const *settings, size_t setting_count,
                        struct error *e)
{
    if (!read_text(room, name, "", settings, setting_count, e))
        return 0;
    const char *why = strstr(e->message, "unknown material ");
    if (why)
        memmove(e->message, why, strlen(why) + 1);
    return -1;
}

static const struct material *find(const struct room *room, const char *name)
{
    for (size_t i = 0; i < room->material_count; i++)
        if (!strcmp(room->materials[i].name, name))
            return &room->materials[i];
    return NULL;
}

static int take(struct room **room, const struct material **found, const char *name, struct error *e)
{
    *found = find(*room, name);
    if (*found)
        return 0;
    room_free(*room);
    *room = NULL;
    return fail(e, ERROR_INPUT, "%s: no surface is of this material", name);
}

static int check_name(const char *name, struct error *e)
{
    char given[QUOTED];
    if (!*name || strpbrk(name, "\"\\\n"))
        return fail(e, ERROR_USAGE, "\"%s\": is neither the name of a material nor a description of layers",
                    quoted(given, name));
    return 0;
}

int material_room_read(struct room **room, const struct material **found, const char *material,
                       const char *const *settings, size_t setting_count, struct error *e)
{
    const bool described = layer_words_are(material);
    *room = NULL;
    if (described ? read_description(room, material, settings, setting_count, e)
                  : check_name(material, e) || read_library(room, material, settings, setting_count, e))
        return -1;
    return take(room, found, described ? LAYER_WORDS_MATERIAL : material, e);
}

/* The room, with its walls of a material that none of its surfaces has. */
static int read_unused(struct room **room, const char *name, material_room_reader *read, const void *context,
                       const char *const *settings, size_t setting_count, struct error *e)
{
    char *last = text_format("room.walls.default=\"%s\"", name);
    const char **all = calloc(setting_count + 1, sizeof *all);
    int status = last && all ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        for (size_t i = 0; i < setting_count; i++)
            all[i] = settings[i];
        all[setting_count] = last;
        status = read(room, context, all, setting_count + 1, e);
    }
    free(all);
    free(last);
    return status;
}

int material_room_read_file(struct room **room, const struct material **found, const char *name, const char *path,
                            material_room_reader *read, const void *context, const char *const *settings,
                            size_t setting_count, struct error *e)
{
    *room = NULL;
    if (layer_words_are(name))
        return fail(e, ERROR_USAGE, "a description of layers needs no room; remove %s, or give the name of a material",
                    path);
    if (check_name(name, e) || read(room, context, settings, setting_count, e))
        return -1;
    if (!find(*room, name)) {
        const bool mesh = room_form(*room) == ROOM_MESH;
        room_free(*room);
        *room = NULL;
        if (mesh)
            return fail(e, ERROR_INPUT, "%s: has no surface of the material %s; name one that aula info %s lists", path,
                        name, path);
        if (read_unused(room, name, read, context, settings, setting_count, e))
            return -1;
    }
    return take(room, found, name, e);
}
