/* SPDX-License-Identifier: MIT */
/* The range of s: pure sand stays pure, and s stays within 0 .. 1. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "validate/sediment/checks.h"
#include "validate/sediment/test_basin.h"

enum { PURE_STEPS = 200, BOUNDS_STEPS = 400 };

/* Smallest and largest s after the steps. */
static int range_of_sand(double range[2], const struct test_basin *b, size_t steps, const struct solver_options *c,
                         struct error *e)
{
    double *after = malloc(2 * b->points * sizeof *after);
    const int status = after ? test_basin_run(after, b, c, steps, e) : fail(e, ERROR_MEMORY, "out of memory");
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t i = b->points; i < 2 * b->points && !status; i++) {
        range[0] = -nan_max(-range[0], -after[i]);
        range[1] = nan_max(range[1], after[i]);
    }
    free(after);
    return status;
}

static int check_pure_sand(struct validation *v, struct report *r, struct error *e)
{
    for (int conservative = 1; conservative >= 0; conservative--) {
        struct test_basin b = {.points = 0};
        double range[2] = {0};
        int status = test_basin_make_fed(&b, 50, 40, conservative, 1, &v->random, e);
        for (size_t i = 0; i < b.points && !status; i++)
            b.values[S][i] = 1.0;
        status = status || range_of_sand(range, &b, PURE_STEPS, &v->choice, e);
        test_basin_free(&b);
        if (status)
            return -1;
        if (conservative)
            report_bound(r, "pure-sand", nan_max(fabs(range[0] - 1.0), fabs(range[1] - 1.0)), 1e-12,
                         "conservative: s = 1 stays 1, %d steps", PURE_STEPS);
        else
            report_figure(r, "pure-sand", nan_max(fabs(range[0] - 1.0), fabs(range[1] - 1.0)),
                          "published: s = 1 becomes %.3f .. %.3f, as (4) omits alpha s times the Laplacian of h",
                          range[0], range[1]);
    }
    return 0;
}

static int check_bounds(struct validation *v, struct report *r, struct error *e)
{
    struct test_basin b = {.points = 0};
    double range[2];
    const int status = test_basin_make_fed(&b, 70, 60, true, 3, &v->random, e) ||
                       range_of_sand(range, &b, BOUNDS_STEPS, &v->choice, e);
    if (!status)
        report_bound(r, "bounds", nan_max(nan_max(0.0, -range[0]), range[1] - 1.0), 0.0,
                     "conservative, smooth: s within %.3f .. %.3f after %d steps; excess beyond 0 .. 1", range[0],
                     range[1], BOUNDS_STEPS);
    test_basin_free(&b);
    return status ? -1 : 0;
}

const struct check check_sediment_pure_sand = {"pure-sand", check_pure_sand};
const struct check check_sediment_bounds = {"bounds", check_bounds};
