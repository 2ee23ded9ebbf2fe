/* SPDX-License-Identifier: MIT */
/* Response of taps to a source in unbounded free air on the grid of either scheme for rooms: the
 * direct sound on the grid, which near a source differs from that in air. */
#ifndef AULA_SOLVER_SCHEMES_FREE_AIR_H
#define AULA_SOLVER_SCHEMES_FREE_AIR_H

#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "base/error.h"

/* Points of a grid by index (any integers) with weights. */
struct air_points {
    size_t count;
    long (*point)[3]; /* [count] */
    double *weight;   /* [count] */
};

void air_points_free(struct air_points *a); /* safe on a zeroed struct */

/* out [tap_count][steps]: sample n is the value of a tap at level n after the source was driven
 * by 1 at step 0 and by nothing later (solver/solver.h), in lossless air. The box is so large
 * that no reflection returns from its ends. Double precision; the same bits for any number of
 * threads. ERROR_MEMORY, ERROR_STOPPED. */
int free_air_responses(double *out, enum air_stencil stencil, double courant_squared, const struct air_points *source,
                       const struct air_points *taps, size_t tap_count, size_t steps, struct error *e);

#endif
