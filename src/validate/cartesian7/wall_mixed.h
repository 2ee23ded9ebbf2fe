/* SPDX-License-Identifier: MIT */
/* Energy balance in random rooms whose corners, edges, scattered cells and objects combine faces
 * of several materials at one point: rigid, fixed, real and with branches; in free decay, and
 * with sources that supply energy. */
#ifndef AULA_VALIDATE_CARTESIAN7_WALL_MIXED_H
#define AULA_VALIDATE_CARTESIAN7_WALL_MIXED_H

#include "base/acoustics/conventions.h"
#include "validate/validate.h"

/* With the 19-point stencil, the energy of silent rooms must also never exceed its start. */
int mixed_check_rooms(struct validation *v, struct report *r, const char *check, enum air_stencil stencil,
                      struct error *e);

#endif
