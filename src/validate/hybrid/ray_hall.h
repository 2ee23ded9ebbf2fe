/* SPDX-License-Identifier: MIT */
/* A hall of many triangles, for the speed of rays. */
#ifndef AULA_VALIDATE_HYBRID_RAY_HALL_H
#define AULA_VALIDATE_HYBRID_RAY_HALL_H

#include "validate/scene/meshes.h"

enum { RAY_HALL_HARD, RAY_HALL_SEATS = 6, RAY_HALL_MATERIALS = 12 };

/* A shoebox of 48 m x 19 m x 17 m with rows of seats, a coffered ceiling and round lamps: 36,428 triangles. Materials
 * below RAY_HALL_SEATS are those of its walls. */
void ray_hall_make(struct scene_mesh *mesh);

#endif
