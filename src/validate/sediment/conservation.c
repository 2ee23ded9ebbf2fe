/* SPDX-License-Identifier: MIT */
/* Gain of volume and of sand, compared with the inflow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "validate/sediment/checks.h"
#include "validate/sediment/test_basin.h"

enum { BALANCE_STEPS = 100 };

/* Flux of one sediment into the basin, and the sum of its magnitudes. */
static void inflow_of(const struct test_basin *b, int sediment, long double *net, long double *sizes)
{
    for (int side = 0; side < 4; side++)
        for (size_t i = 0; b->inflow[sediment][side] && i < b->problem.points[side < 2 ? 1 : 0]; i++) {
            const double q = b->inflow[sediment][side][i] * b->sediment.spacing[side < 2 ? 1 : 0];
            *net += q;
            *sizes += fabs(q);
        }
}

/* Gains summed over single steps: volume of h; sand that stayed in the layer or was buried. */
static int gains(long double gained[2], const struct test_basin *b, const struct solver_options *c, struct error *e)
{
    const struct sediment_problem *p = &b->sediment;
    const struct block silence = {.drive = NULL};
    struct solver *solver = NULL;
    double *now = malloc(3 * b->points * sizeof *now), *s = now ? now + b->points : NULL,
           *old = s ? s + b->points : NULL;
    int status = now ? test_basin_open(&solver, b, c, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (now)
        memcpy(old, b->values[H], b->points * sizeof *old);
    gained[0] = gained[1] = 0.0L;
    for (int step = 0; step < BALANCE_STEPS && !status; step++) {
        status = stop_check(e) || solver_run(solver, 1, &silence, e) ||
                 test_basin_get(solver, "h", now, b->points, e) || test_basin_get(solver, "s", s, b->points, e);
        for (size_t i = 0; i < b->points && !status; i++) {
            gained[0] += (long double)now[i] - old[i];
            gained[1] += (long double)s[i] * ((long double)now[i] - old[i]);
            old[i] = now[i];
        }
    }
    for (size_t i = 0; i < b->points && !status; i++)
        gained[1] += p->layer * ((long double)s[i] - b->values[S][i]);
    for (int i = 0; i < 2; i++)
        gained[i] *= (long double)p->spacing[0] * p->spacing[1];
    solver_close(solver);
    free(now);
    return status ? -1 : 0;
}

static int check_balance(struct validation *v, struct report *r, bool conservative, struct error *e)
{
    struct test_basin b = {.points = 0};
    long double gained[2], net[2] = {0}, sizes[2] = {0};
    const int status =
        test_basin_make_fed(&b, 40, 30, conservative, 3, &v->random, e) || gains(gained, &b, &v->choice, e);
    if (!status) {
        const long double time = BALANCE_STEPS * (long double)b.sediment.time_step;
        inflow_of(&b, 0, &net[0], &sizes[0]);
        inflow_of(&b, 1, &net[1], &sizes[1]);
        const double h = (double)(fabsl(gained[0] - time * (net[0] + net[1])) / (time * (sizes[0] + sizes[1])));
        const double sand = (double)(fabsl(gained[1] - time * net[0]) / (time * sizes[0]));
        const char *name = conservative ? "conservative" : "published";
        report_bound(r, "conservation", h, 1e-12, "%s: gain of volume compared with inflow, %d steps, relative", name,
                     BALANCE_STEPS);
        if (conservative)
            report_bound(r, "conservation", sand, 1e-12, "%s: gain of sand compared with its inflow, relative", name);
        else
            report_figure(r, "conservation", sand,
                          "%s: gain of sand compared with its inflow, relative; equation (4) loses sand", name);
    }
    test_basin_free(&b);
    return status ? -1 : 0;
}

static int check_conservation(struct validation *v, struct report *r, struct error *e)
{
    return check_balance(v, r, true, e) || check_balance(v, r, false, e);
}

const struct check check_sediment_conservation = {"conservation", check_conservation};
