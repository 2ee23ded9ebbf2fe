/* Schemes: what is computed, apart from how. One row of the table in cmd/schemes.c each. */
#ifndef AULA_SOLVER_SCHEME_H
#define AULA_SOLVER_SCHEME_H

#include <stddef.h>

#include "solver/solver.h"

struct scheme {
    const char *name;
    const char *const *arrays; /* state arrays, NULL-terminated, in the order that put and get index them */
    int array_count;           /* of these */
    int stepped;               /* how many of them, from the first on, a step replaces: engines keep a second copy */
    int ghosts;                /* layers of points beyond the grid along x and y that engines keep */
    int radius;                /* points a stencil reaches along an axis */
    double flops_per_point;
    int values_per_point; /* read or written in memory by a single step, of sizeof(real) each */
    /* Refuses parameters outside the stability limit and channels the scheme does not have. */
    int (*check)(const struct problem *p, struct error *e);
    /* Tells apart problems of one size that a kernel does different work for: part of what a tuned block is filed under. NULL: none. */
    int (*work)(const struct problem *p);
};

/* For schemes that are neither driven nor heard. */
int scheme_without_channels(const struct problem *p, const char *name, struct error *e);

#endif
