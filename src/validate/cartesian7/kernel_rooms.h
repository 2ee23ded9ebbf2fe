/* SPDX-License-Identifier: MIT */
/* Random rooms with sources and receivers for comparing kernels. They exercise the special cases
 * of tiles, temporal blocks and lists of walls. */
#ifndef AULA_VALIDATE_CARTESIAN7_KERNEL_ROOMS_H
#define AULA_VALIDATE_CARTESIAN7_KERNEL_ROOMS_H

#include "base/acoustics/conventions.h"
#include "validate/scene/scene.h"

enum { ROOM_CHANNELS = 3, HALL_CHANNELS = 12 };

enum kernel_room { ROOM_RANDOM, ROOM_FIXED_BOX, ROOM_ABSORBING_BOX };

/* A room with air, without sources and receivers; freed by the caller, also on failure. */
int make_room(struct scene *s, enum kernel_room form, enum air_stencil stencil, enum precision precision,
              struct random *r, struct error *e);
/* Adds ROOM_CHANNELS sources and receivers of several points, at random positions, some of them
 * between points. Sources are at absorbing walls only on request. */
void furnish_room(struct scene *s, bool at_walls, struct random *r);

/* Empty boxes of the sizes for which tiles have code without special cases, by their walls. */
enum plain_hall { NOT_PLAIN, PLAIN_RIGID, PLAIN_ABSORBING, PLAIN_FIXED, PLAIN_HALLS };

/* A room, larger or smaller than tiles, with a few objects; absorbing or rigid walls, half of
 * them with branches on request; random areas of faces on request; and HALL_CHANNELS sources and
 * receivers anywhere, `between` of them between points. Freed by the caller, also on failure. */
int make_hall(struct scene *s, enum air_stencil stencil, enum precision precision, bool branches, size_t objects_max,
              enum plain_hall plain, bool areas, int between, struct random *r, struct error *e);

#endif
