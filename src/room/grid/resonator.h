/* SPDX-License-Identifier: MIT */
/* A branch by its resonance, as fits vary it, theory (30):
 *     Y(ω) = Y0/(1 + jQ (ω/ω0 - ω0/ω)),   D = Q/(Y0 ω0), E = 1/Y0, F = Q ω0/Y0. */
#ifndef AULA_ROOM_GRID_RESONATOR_H
#define AULA_ROOM_GRID_RESONATOR_H

#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "room/grid/least_squares.h"

/* Parameters of a branch, as logarithms: Y0, Q, ω0. */
enum { ADMITTANCE, QUALITY, RESONANCE, PER_BRANCH };

struct resonator {
    double peak, quality, resonance; /* Y0, Q, ω0 in rad/s */
};

/* Of parameters [PER_BRANCH]. */
struct resonator resonator_of(const double *parameters);
struct branch resonator_branch(const struct resonator *r);

/* Admittance of parallel resonators at ω: value[0] + j value[1]. by[i]: its derivative by parameter i of
 * [PER_BRANCH count]. */
void resonators_admittance(const struct resonator *resonators, size_t count, double angular_frequency, double value[2],
                           double by[PARAMETERS_MAX][2]);

#endif
