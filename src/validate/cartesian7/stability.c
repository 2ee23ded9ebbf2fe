/* SPDX-License-Identifier: MIT */
/* The scheme is refused above the Courant limit, and stays bounded at the default for many
 * steps. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/cartesian7/checks.h"
#include "validate/scene/scene.h"

static int check_refusal(struct validation *v, struct report *r, struct error *e)
{
    struct scene s;
    struct solver *solver = NULL;
    struct error refusal;
    double courant_squared;
    bool refused = cartesian7_courant_squared(0.5774, &courant_squared, &refusal) != 0;
    if (scene_box(&s, 5, 5, 5, PRECISION_DOUBLE, e))
        return -1;
    s.leapfrog.courant_squared = 0.3334;
    refused = refused && scene_open(&solver, &s, &v->choice, &refusal) != 0;
    solver_close(solver);
    scene_free(&s);
    report_bound(r, "stability", refused ? 0.0 : 1.0, 0.0, "Courant number 0.5774: 0 if refused");
    return 0;
}

/* Largest magnitude and mean over the air at level n. */
static int survey(struct solver *solver, const struct scene *s, double *largest, double *mean, struct error *e)
{
    const size_t *n = s->problem.points;
    const size_t points = n[0] * n[1] * n[2];
    void *values = malloc(points * sizeof(double));
    if (!values)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = solver_get(solver, "p", 0, n[2], values, e);
    double sum = 0.0, air = 0.0;
    *largest = 0.0;
    for (size_t i = 0; i < points && !status; i++) {
        double p = s->problem.precision == PRECISION_DOUBLE ? ((double *)values)[i] : (double)((float *)values)[i];
        if (s->cells[i] != CELL_AIR)
            continue;
        *largest = nan_max(*largest, fabs(p));
        sum += p;
        air += 1.0;
    }
    *mean = fabs(sum / air);
    free(values);
    return status;
}

int check_stability(struct validation *v, struct report *r, struct error *e)
{
    const size_t steps = v->full ? 100000 : 20000;
    if (check_refusal(v, r, e))
        return -1;
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--) {
        struct scene s;
        struct solver *solver = NULL;
        const struct block silence = {0};
        const size_t from[3] = {12, 0, 9}, to[3] = {27, 11, 19};
        double before, after, mean;
        struct audit audit;
        if (scene_box(&s, 27, 23, 19, (enum precision)precision, e))
            return -1;
        scene_fill(&s, from, to, CELL_SOLID);
        int status = scene_open(&solver, &s, &v->choice, e) || scene_noise(&s, solver, 1.0, &v->random, e) ||
                     survey(solver, &s, &before, &mean, e) || solver_run(solver, steps, &silence, e) ||
                     solver_audit(solver, &audit, e) || survey(solver, &s, &after, &mean, e);
        solver_close(solver);
        scene_free(&s);
        if (status)
            return -1;
        /* Two random levels include a velocity, which the constant mode would keep. It is
         * zero-mean here, so that nothing may grow. The largest |p| of a stable field is a
         * random number, 2.8 times its start with a standard deviation of 0.25 over 62 draws; an
         * unstable mode at λ² = 0.3334 grows by e^560. */
        report_bound(r, "stability", after / before, 8.0,
                     "rigid room, %s, %zu steps after zero-mean noise: largest pressure relative to the start",
                     precision_names[precision], steps);
        report_bound(r, "stability", mean / before, precision == PRECISION_DOUBLE ? 1e-9 : 0.05,
                     "    drift of the mean relative to the largest pressure at the start");
    }
    return 0;
}
