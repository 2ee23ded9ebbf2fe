/* SPDX-License-Identifier: MIT */
#include "validate/bench/arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "solver/engine.h"
#include "solver/scheme.h"

enum { RUNS = 5, WARM_UP = 2, STEPS_MAX = 100000 };
static const double run_seconds = 0.05; /* duration of one run: long relative to the clock's resolution and a launch */

/* Values between 1/2 and 3/2, the same in every plane z; also valid for h, s, alpha and beta of
 * a basin. */
static int fill(struct solver *solver, const struct problem *p, struct error *e)
{
    const struct scheme *scheme = p->scheme;
    const size_t nx = p->points[0], ny = p->points[1];
    const bool real_double = p->precision == PRECISION_DOUBLE;
    void *plane = malloc(nx * ny * sizeof(double));
    int status = plane ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int array = 0; array < scheme->array_count && !status; array++) {
        for (size_t i = 0; i < nx * ny; i++) {
            const double x = (double)(i % nx) / (double)nx, y = (double)(i / nx) / (double)ny;
            const double value = 1.0 + 0.25 * sin(2.0 * M_PI * (x + 0.1 * array)) + 0.25 * cos(2.0 * M_PI * y);
            if (real_double)
                ((double *)plane)[i] = 0.5 * value;
            else
                ((float *)plane)[i] = (float)(0.5 * value);
        }
        for (size_t z = 0; z < p->points[2] && !status; z++)
            status = solver_put(solver, scheme->arrays[array], z, 1, plane, e);
    }
    free(plane);
    return status;
}

static int time_runs(double *step, struct solver *solver, struct error *e)
{
    const struct block silence = {0};
    double times[RUNS], start = clock_seconds();
    if (solver_run(solver, WARM_UP, &silence, e))
        return -1;
    start = clock_seconds();
    if (solver_run(solver, WARM_UP, &silence, e))
        return -1;
    const double steps_wanted = run_seconds * WARM_UP / (clock_seconds() - start);
    size_t steps = steps_wanted < 2.0 ? 2 : steps_wanted > STEPS_MAX ? STEPS_MAX : (size_t)steps_wanted;
    steps += steps % 2;
    for (int i = -1; i < RUNS; i++) { /* i = -1 is a warm-up */
        start = clock_seconds();
        if (solver_run(solver, steps, &silence, e))
            return -1;
        if (i >= 0)
            times[i] = (clock_seconds() - start) / (double)steps;
    }
    *step = bench_median(times, RUNS);
    return 0;
}

int arrays_check_options(const struct bench_settings *o, struct error *e)
{
    if (o->plot || o->full || o->webb_variant || o->choice.time_block || o->choice.cuda.in_place)
        return fail(e, ERROR_USAGE,
                    "--plot, --full, --prefer-l1, --read-only-cache, --time-block and --in-place are supported by aula "
                    "bench webb only");
    if (o->choice.block[0] && !o->choice.kernel)
        return fail(e, ERROR_USAGE, "--block: one shape does not suit all kernels; choose one with --kernel");
    return 0;
}

const char *arrays_block(char text[32], const struct solver_plan *r)
{
    text[0] = 0;
    if (r->cuda.block[0])
        snprintf(text, 32, "%dx%dx%d", r->cuda.block[0], r->cuda.block[1], r->cuda.block[2]);
    return text;
}

int arrays_time(struct timing *t, const struct problem *p, const struct solver_options *c, struct error *e)
{
    struct solver *solver = NULL;
    *t = (struct timing){.step = NAN};
    if (solver_open(&solver, p, c, e))
        return e->code == ERROR_ENGINE && c->kernel ? 0 : -1;
    t->applies = true;
    t->plan = *solver_plan_of(solver);
    const int status = fill(solver, p, e) || time_runs(&t->step, solver, e);
    solver_close(solver);
    return status ? -1 : 0;
}

const char *arrays_kernel(const struct engine *engine, const struct scheme *scheme, size_t index,
                          const struct solver_options *c)
{
    if (c->kernel)
        return index == 0 ? c->kernel : NULL;
    if (!strcmp(engine->name, "cpu"))
        return index == 0 ? "" : NULL; /* the automatic kernel */
    return engine->kernel_name(scheme, index);
}
