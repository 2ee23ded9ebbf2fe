/* SPDX-License-Identifier: MIT */
#include "validate/sediment/test_basin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const array_names[ARRAYS] = {[H] = "h", [S] = "s", [ALPHA] = "alpha", [BETA] = "beta"};

void test_basin_free(struct test_basin *b)
{
    for (int i = 0; i < ARRAYS; i++)
        free(b->values[i]);
    for (int i = 0; i < 8; i++)
        free(b->inflow[i / 4][i % 4]);
}

int test_basin_make(struct test_basin *b, size_t nx, size_t ny, double size, struct error *e)
{
    *b = (struct test_basin){.points = nx * ny};
    b->problem = (struct problem){
        .scheme = &sediment_scheme, .parameters = &b->sediment, .points = {nx, ny, 1}, .precision = PRECISION_DOUBLE};
    b->sediment = (struct sediment_problem){.part = SEDIMENT_BOTH,
                                            .spacing = {size / (double)nx, size / (double)ny},
                                            .layer = 1.0,
                                            .compaction = {1.0, 1.0}};
    for (int i = 0; i < ARRAYS; i++) {
        b->values[i] = calloc(b->points, sizeof(double));
        if (!b->values[i]) {
            test_basin_free(b);
            *b = (struct test_basin){.points = 0};
            return fail(e, ERROR_MEMORY, "out of memory");
        }
    }
    return 0;
}

/* The flux array of sand (0) or mud (1) through a side, to be filled in. */
static double *add_inflow(struct test_basin *b, int sediment, int side)
{
    double *values = calloc(b->problem.points[side < 2 ? 1 : 0], sizeof(double));
    b->inflow[sediment][side] = values;
    b->sediment.inflow[sediment][side] = values;
    return values;
}

void test_basin_set_step(struct test_basin *b, double share)
{
    struct sediment_problem *s = &b->sediment;
    s->mobility_max = 0.0;
    for (size_t i = 0; i < b->points; i++)
        s->mobility_max =
            fmax(s->mobility_max, fmax(b->values[ALPHA][i] / s->compaction[0], b->values[BETA][i] / s->compaction[1]));
    s->time_step = share * sediment_step_limit(s);
}

void test_basin_fill(struct test_basin *b, int array, bool smooth, double low, double high, struct random *r)
{
    const size_t nx = b->problem.points[0];
    double period[2], phase[2];
    for (int axis = 0; axis < 2; axis++) {
        period[axis] = 2.0 * M_PI * (double)random_between(r, 1, 3) / (double)b->problem.points[axis];
        phase[axis] = 2.0 * M_PI * random_unit(r);
    }
    for (size_t i = 0; i < b->points; i++) {
        const double x = sin(period[0] * (double)(i % nx) + phase[0]), y = sin(period[1] * (double)(i / nx) + phase[1]);
        b->values[array][i] = low + (high - low) * (smooth ? 0.5 + 0.25 * (x + y) : random_unit(r));
    }
}

int test_basin_flow(struct test_basin *b, int side, int what, double rise, struct random *r, struct error *e)
{
    const double spacing = b->sediment.spacing[side / 2];
    for (int sediment = 0; sediment < 2; sediment++) {
        if (!(what >> sediment & 1))
            continue;
        double *values = add_inflow(b, sediment, side);
        if (!values)
            return fail(e, ERROR_MEMORY, "out of memory");
        for (size_t i = 0; i < b->problem.points[side < 2 ? 1 : 0]; i++)
            values[i] = random_unit(r) * rise / spacing;
    }
    return 0;
}

int test_basin_open(struct solver **s, const struct test_basin *b, const struct solver_options *c, struct error *e)
{
    int status = solver_open(s, &b->problem, c, e);
    for (int i = 0; i < ARRAYS && !status; i++)
        status = solver_put(*s, array_names[i], 0, 1, b->values[i], e);
    return status;
}

int test_basin_get(struct solver *s, const char *array, double *values, size_t points, struct error *e)
{
    memset(values, 0xff, points * sizeof *values);
    return solver_get(s, array, 0, 1, values, e);
}

int test_basin_run(double *out, const struct test_basin *b, const struct solver_options *c, size_t steps,
                   struct error *e)
{
    struct solver *s = NULL;
    const struct block silence = {.drive = NULL};
    const int status = test_basin_open(&s, b, c, e) || solver_run(s, steps / 3, &silence, e) ||
                       solver_run(s, steps - steps / 3, &silence, e) || test_basin_get(s, "h", out, b->points, e) ||
                       test_basin_get(s, "s", out + b->points, b->points, e);
    solver_close(s);
    return status ? -1 : 0;
}

int test_basin_make_fed(struct test_basin *b, size_t nx, size_t ny, bool conservative, int what, struct random *r,
                        struct error *e)
{
    if (test_basin_make(b, nx, ny, 1.0, e))
        return -1;
    b->sediment.conservative = conservative;
    b->sediment.compaction[0] = 0.8;
    b->sediment.compaction[1] = 1.1;
    test_basin_fill(b, H, true, -0.3, 0.3, r);
    test_basin_fill(b, S, true, 0.1, 0.9, r);
    test_basin_fill(b, ALPHA, true, 0.5, 1.5, r);
    test_basin_fill(b, BETA, true, 0.2, 1.0, r);
    test_basin_set_step(b, 0.8);
    for (int side = 0; side < 4; side++)
        if (test_basin_flow(b, side, what, side == 3 ? -1e-3 : 2e-3, r, e))
            return -1;
    return 0;
}
