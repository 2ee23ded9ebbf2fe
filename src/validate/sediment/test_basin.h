/* SPDX-License-Identifier: MIT */
/* Small basins for the checks of the sediment scheme, stepped through the solver contract. */
#ifndef AULA_VALIDATE_SEDIMENT_TEST_BASIN_H
#define AULA_VALIDATE_SEDIMENT_TEST_BASIN_H

#include "base/random.h"
#include "solver/schemes/sediment/sediment.h"

enum { H, S, ALPHA, BETA, ARRAYS };

struct test_basin {
    struct sediment_problem sediment;
    struct problem problem; /* its parameters point to `sediment`: do not move the struct */
    size_t points;
    double *values[ARRAYS];
    double *inflow[2][4]; /* NULL: none */
};

/* All 0 except spacings of size/nx and size/ny, and a layer of 1; no compaction. */
int test_basin_make(struct test_basin *b, size_t nx, size_t ny, double size, struct error *e);
void test_basin_free(struct test_basin *b);

/* A smooth basin with sand and mud (`what`) entering through three sides and leaving through the fourth. */
int test_basin_make_fed(struct test_basin *b, size_t nx, size_t ny, bool conservative, int what, struct random *r,
                        struct error *e);

/* Sets the time step to `share` of the stability limit. */
void test_basin_set_step(struct test_basin *b, double share);

/* Uniform noise, or smooth waves of random phase with one to three periods over the basin; within low .. high. */
void test_basin_fill(struct test_basin *b, int array, bool smooth, double low, double high, struct random *r);

/* Fluxes through a side that raise its ghosts by about `rise`; `what`: bit 0 for sand, bit 1 for mud. */
int test_basin_flow(struct test_basin *b, int side, int what, double rise, struct random *r, struct error *e);

/* Opens a solver and puts the arrays of the basin. */
int test_basin_open(struct solver **s, const struct test_basin *b, const struct solver_options *c, struct error *e);

/* Reads one array, [points]; values not written remain NaN. */
int test_basin_get(struct solver *s, const char *array, double *values, size_t points, struct error *e);

/* Runs `steps` steps; the resulting h and s go to out[2 points]. */
int test_basin_run(double *out, const struct test_basin *b, const struct solver_options *c, size_t steps,
                   struct error *e);

#endif
