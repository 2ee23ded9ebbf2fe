/* SPDX-License-Identifier: MIT */
/* A rigid box compared with the sum of its modes, which is exact on the grid of either stencil. */
#ifndef AULA_VALIDATE_CARTESIAN7_MODES_H
#define AULA_VALIDATE_CARTESIAN7_MODES_H

#include "base/acoustics/conventions.h"
#include "validate/validate.h"

/* A random box, 4000 steps in double precision. t: viscothermal time over the time step (19-point: 0). */
int modes_check_box(struct validation *v, struct report *r, const char *check, enum air_stencil stencil, double t,
                    struct error *e);

#endif
