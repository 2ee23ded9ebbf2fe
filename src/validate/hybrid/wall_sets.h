/* SPDX-License-Identifier: MIT */
/* Walls of a box by which the geometric half is judged. */
#ifndef AULA_VALIDATE_HYBRID_WALL_SETS_H
#define AULA_VALIDATE_HYBRID_WALL_SETS_H

#include <complex.h>

#include "base/acoustics/conventions.h"

enum wall_set { WALLS_LIVE, WALLS_DAMPED, WALLS_PANEL, WALLS_MIXED, WALL_SETS };
extern const char *const wall_set_names[WALL_SETS];

/* admittance [FACES] at an angular frequency, rad/s, with Re > 0. */
void wall_set_at(double complex *admittance, enum wall_set set, double complex omega);

#endif
