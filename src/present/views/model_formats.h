/* SPDX-License-Identifier: MIT */
/* Formats of room_model_write. */
#ifndef AULA_PRESENT_VIEWS_MODEL_FORMATS_H
#define AULA_PRESENT_VIEWS_MODEL_FORMATS_H

#include <stdio.h>

#include "present/views/rectangles.h"
#include "present/views/room_model.h"

enum { RECTANGLE_CORNERS = 4 };

/* Both write to a stream whose errors the caller checks; `faces` are sorted by code. ERROR_INPUT, ERROR_MEMORY. */
int ply_write(FILE *stream, const struct viewed_room *room, const struct rectangles *faces, struct error *e);
int glb_write(FILE *stream, const struct viewed_room *room, const struct rectangles *faces, struct error *e);

/* A corner of a rectangle, m. */
void model_corner(float place[3], const struct viewed_room *room, const struct rectangle *face, int corner);

/* Little endian. */
void model_put(FILE *stream, uint32_t value, int bytes);
void model_put_float(FILE *stream, float value);

#endif
