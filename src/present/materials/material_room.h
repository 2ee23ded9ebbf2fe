/* SPDX-License-Identifier: MIT */
/* A material by its name or by its layers in words, as a room that has it. */
#ifndef AULA_PRESENT_MATERIALS_MATERIAL_ROOM_H
#define AULA_PRESENT_MATERIALS_MATERIAL_ROOM_H

#include "room/room.h"

/* Reads a room file with these settings. */
typedef int material_room_reader(struct room **room, const void *context, const char *const *settings,
                                 size_t setting_count, struct error *e);

/* Reads a room, made of nothing, whose walls are of the material: layers as "porous 50 mm 10000, air 100 mm", or a name
 * of the library. *found belongs to the room, which room_free frees. ERROR_USAGE for words that are no layers, ERROR_INPUT
 * for an unknown name. */
int material_room_read(struct room **room, const struct material **found, const char *material,
                       const char *const *settings, size_t setting_count, struct error *e);

/* The same of a material of a room file, also one that no surface has; `path` names the file in messages. ERROR_USAGE
 * for layers in words, which need no file. */
int material_room_read_file(struct room **room, const struct material **found, const char *name, const char *path,
                            material_room_reader *read, const void *context, const char *const *settings,
                            size_t setting_count, struct error *e);

#endif
