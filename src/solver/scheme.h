/* SPDX-License-Identifier: MIT */
/* Schemes: the equations to be solved, independent of the engine. Each is a row of the table in
 * app/schemes.c. */
#ifndef AULA_SOLVER_SCHEME_H
#define AULA_SOLVER_SCHEME_H

#include <stddef.h>

#include "solver/solver.h"

struct scheme {
    const char *name;
    const char *const *arrays; /* state arrays, NULL-terminated, in the order of their index in put and get */
    int array_count;           /* number of arrays */
    int stepped; /* number of arrays, from the first, that a step replaces; engines keep a second copy of these */
    int ghosts;  /* layers of ghost points beyond the grid along x and y */
    int radius;  /* reach of the stencil along an axis, points */
    double flops_per_point;
    int values_per_point; /* values of sizeof(real) that a single step reads or writes in memory per point */
    /* Refuses parameters outside the stability limit and channels that the scheme does not
     * support. */
    int (*check)(const struct problem *p, struct error *e);
    /* A number for each variant of the work on a grid of one size: part of the key of a tuned
     * block. NULL: a single variant. */
    int (*work)(const struct problem *p);
};

/* `check` for schemes without drives and taps. */
int scheme_without_channels(const struct problem *p, const char *name, struct error *e);

#endif
