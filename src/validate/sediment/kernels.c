/* SPDX-License-Identifier: MIT */
/* Every kernel of an engine compared with the reference of the cpu engine, on random basins. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "solver/engine.h"
#include "validate/arrays.h"
#include "validate/sediment/checks.h"
#include "validate/sediment/test_basin.h"

enum { CASES = 30, SIDE_MAX = 90, LENGTH_MAX = 1200, WIDTH_MAX = 12, STEPS_MAX = 80 };

/* Heights within the thickness of the layer, so that rough sand does not diverge. */
static int make_random_basin(struct test_basin *b, struct random *r, struct error *e)
{
    static const enum sediment_part parts[] = {SEDIMENT_BOTH, SEDIMENT_BOTH, SEDIMENT_H, SEDIMENT_S};
    const bool smooth = random_between(r, 0, 1) != 0;
    const int shape = (int)random_between(r, 0, 5); /* some wider or higher than the tiles of any kernel */
    const size_t nx = random_between(r, 2, shape == 0 ? LENGTH_MAX : shape == 1 ? WIDTH_MAX : SIDE_MAX);
    const size_t ny = random_between(r, 2, shape == 0 ? WIDTH_MAX : shape == 1 ? LENGTH_MAX : SIDE_MAX);
    if (test_basin_make(b, nx, ny, 1.0 + random_unit(r), e))
        return -1;
    struct sediment_problem *s = &b->sediment;
    s->conservative = random_between(r, 0, 1) != 0;
    s->part = parts[random_between(r, 0, 3)];
    s->layer = 4.0 + random_unit(r);
    s->compaction[0] = 0.5 + random_unit(r);
    s->compaction[1] = 0.5 + random_unit(r);
    test_basin_fill(b, H, smooth, -0.5, 0.5, r);
    test_basin_fill(b, S, smooth, 0.1, 0.9, r);
    test_basin_fill(b, ALPHA, smooth, 0.5, 1.5, r);
    test_basin_fill(b, BETA, smooth, 0.2, 1.0, r);
    test_basin_set_step(b, 0.2 + 0.7 * random_unit(r));
    for (int side = 0; side < 4; side++)
        if (test_basin_flow(b, side, (int)random_between(r, 0, 3), 0.02 * (random_unit(r) - 0.3), r, e))
            return -1;
    return 0;
}

/* Largest difference of each array relative to its largest expected value; NaN if any value is
 * NaN. */
static double difference(const double *got, const double *expected, size_t points)
{
    double worst = 0.0;
    for (size_t array = 0; array < 2; array++) {
        double peak = 0.0, largest = 0.0;
        for (size_t i = array * points; i < (array + 1) * points; i++) {
            peak = nan_max(peak, fabs(expected[i]));
            largest = nan_max(largest, fabs(got[i] - expected[i]));
        }
        worst = nan_max(worst, largest > 0.0 || isnan(largest) ? largest / peak : 0.0);
    }
    return worst;
}

/* For a kernel. */
struct tally {
    double worst;
    size_t cases;     /* number of basins that it could run */
    char reason[256]; /* reason why it could not run another */
};

static bool is_wanted(const struct validation *v, const char *kernel)
{
    return !v->choice.kernel || !strcmp(v->choice.kernel, kernel);
}

static int compare_kernels(struct validation *v, const struct engine *engine, const struct test_basin *b,
                           double *buffer, struct tally *tally, struct error *e)
{
    const struct solver_options reference = {.engine = "cpu", .kernel = "reference", .threads = 1};
    const size_t steps = random_between(&v->random, 1, STEPS_MAX);
    double *expected = buffer, *got = buffer + 2 * b->points;
    if (test_basin_run(expected, b, &reference, steps, e))
        return -1;
    for (size_t k = 0; engine->kernel_name(&sediment_scheme, k); k++) {
        struct solver_options c = v->choice;
        struct error reason = {ERROR_NONE, ""};
        c.engine = engine->name;
        c.kernel = engine->kernel_name(&sediment_scheme, k);
        c.threads = (int)random_between(&v->random, 1, 4);
        if (!is_wanted(v, c.kernel))
            continue;
        if (test_basin_run(got, b, &c, steps, &reason)) {
            if (reason.code != ERROR_ENGINE) /* a kernel that does not apply to this basin is no failure */
                return fail(e, reason.code, "%s: %.900s", c.kernel, reason.message);
            snprintf(tally[k].reason, sizeof tally[k].reason, "%s: %.200s", c.kernel, reason.message);
            continue;
        }
        tally[k].worst = nan_max(tally[k].worst, difference(got, expected, b->points));
        tally[k].cases++;
    }
    return 0;
}

static void report_kernels(struct report *r, const struct validation *v, const struct engine *engine,
                           const struct tally *tally)
{
    const double bound = strcmp(engine->name, "cpu") ? 1e-12 : 0.0;
    for (size_t k = 0; engine->kernel_name(&sediment_scheme, k); k++) {
        const char *name = engine->kernel_name(&sediment_scheme, k);
        if (!is_wanted(v, name))
            continue;
        if (!tally[k].cases)
            report_skip(r, "kernels", tally[k].reason);
        else if (strcmp(name, "reference") != 0)
            report_bound(r, "kernels", tally[k].worst, bound,
                         "%s/%s: %zu random basins compared with the reference, error relative to peak", engine->name,
                         name, tally[k].cases);
    }
}

static int try_basin(struct tally *tally, struct validation *v, const struct engine *engine, struct error *e)
{
    struct test_basin b = {.points = 0};
    int status = make_random_basin(&b, &v->random, e);
    double *buffer = status ? NULL : malloc(4 * b.points * sizeof *buffer);
    if (!status)
        status = buffer ? compare_kernels(v, engine, &b, buffer, tally, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(buffer);
    test_basin_free(&b);
    return status;
}

static int check_kernels_of_basins(struct validation *v, struct report *r, struct error *e)
{
    const struct engine *engine = solver_engine(&v->choice, e);
    if (!engine || arrays_check_name(engine, &sediment_scheme, v->choice.kernel, e))
        return -1;
    struct tally *tally = calloc(validation_kernels(engine, &sediment_scheme), sizeof *tally); /* by kernel */
    int status = tally ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < (v->cases ? v->cases : CASES) && !status; i++)
        status = try_basin(tally, v, engine, e);
    if (!status)
        report_kernels(r, v, engine, tally);
    free(tally);
    return status;
}

const struct check check_sediment_kernels = {"kernels", check_kernels_of_basins};
