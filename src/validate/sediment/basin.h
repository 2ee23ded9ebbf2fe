/* SPDX-License-Identifier: MIT */
/* A basin of sediment, read from a file such as rooms/basin.cfg. */
#ifndef AULA_VALIDATE_SEDIMENT_BASIN_H
#define AULA_VALIDATE_SEDIMENT_BASIN_H

#include "solver/schemes/sediment/sediment.h"

enum { BASIN_ARRAYS = 4 }; /* h, s, alpha, beta */

struct basin {
    size_t points[2];
    double spacing[2]; /* m */
    double step, duration;
    bool conservative;
    double layer, compaction[2];
    double *arrays[BASIN_ARRAYS]; /* [ny][nx] */
    double *inflow[2][4];         /* sand, mud by side, [ny] or [nx]; NULL: none */
};

/* Reads a basin; ERROR_INPUT with file, line, key and remedy. */
int basin_read(struct basin *b, const char *path, struct error *e);
void basin_free(struct basin *b);

/* The basin's problem, with *s as its parameters; both point into the basin. A time step of 0
 * becomes 0.9 times the stability limit. */
void basin_problem(struct problem *p, struct sediment_problem *s, const struct basin *b);

#endif
