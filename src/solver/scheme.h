/* SPDX-License-Identifier: MIT */
/* Schemes: what is computed, independent of the engine. Each is a row of the table in app/schemes.c. */
#ifndef AULA_SOLVER_SCHEME_H
#define AULA_SOLVER_SCHEME_H

#include <stddef.h>

#include "solver/solver.h"

struct scheme {
    const char *name;
    const char *const *arrays; /* state arrays, NULL-terminated, in the order that put and get index them */
    int array_count;           /* of these */
    int stepped; /* number of arrays, from the first on, that a step replaces: engines keep a second copy */
    int ghosts;  /* layers of points beyond the grid along x and y that engines keep */
    int radius;  /* points a stencil reaches along an axis */
    double flops_per_point;
    int values_per_point; /* values that a single step reads or writes in memory, of sizeof(real) each */
    /* Refuses parameters outside the stability limit and channels that the scheme lacks. */
    int (*check)(const struct problem *p, struct error *e);
    /* A number for each variant of the work at one size: part of the key of a tuned block. NULL: one variant. */
    int (*work)(const struct problem *p);
};

/* `check` for schemes without drives and taps. */
int scheme_without_channels(const struct problem *p, const char *name, struct error *e);

#endif
