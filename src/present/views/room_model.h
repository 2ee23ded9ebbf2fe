/* SPDX-License-Identifier: MIT */
/* The faces of a room's voxels as a file for programs that show and edit models. */
#ifndef AULA_PRESENT_VIEWS_ROOM_MODEL_H
#define AULA_PRESENT_VIEWS_ROOM_MODEL_H

#include "present/views/viewed_room.h"

/* ERROR_USAGE when the name ends neither in .ply nor in .glb. */
int room_model_check_name(const char *path, struct error *e);

/* Writes the faces, joined to rectangles, that look into the air: PLY (binary, little endian, z up, metres) with the
 * colour of the material at each vertex and its number at each face, or GLB (glTF 2.0, y up, metres) with a named
 * material for each of the room's, and a named node for each source and receiver. Complete or absent. ERROR_OUTPUT,
 * ERROR_MEMORY, ERROR_STOPPED; ERROR_INPUT when there is no face, or more than the format can count. */
int room_model_write(const char *path, const struct viewed_room *room, struct error *e);

#endif
