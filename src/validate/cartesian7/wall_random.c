/* SPDX-License-Identifier: MIT */
/* Random passive materials in single precision: no energy may grow. There is one material per
 * room, so that no wall absorbs energy that another creates. Every other room has a partition of
 * it, which transmits. */
#include <math.h>

#include "base/nan_max.h"
#include "validate/cartesian7/balance.h"
#include "validate/cartesian7/checks.h"

enum { MATERIALS = 100, POINTS_MIN = 8, POINTS_MAX = 20, BRANCHES = 6, INTERVALS = 50 };

/* Range in units of the time step, and the share of branches without the element. */
struct range {
    double low, high, none;
};
struct kind {
    const char *meaning;
    int one_in; /* one in this number of materials */
    struct range inertance, resistance, stiffness;
    double growth, drift; /* bounds of the energy's growth, in addition to drift per step */
};
/* Every branch of the ordinary materials loses more energy than rounding creates. The others
 * have little or no loss: their coefficients, rounded to single precision, leave a slow drift,
 * bounded per step. */
static const struct kind kinds[] = {
    {"with ordinary time scales", 2, {0.1, 1e3, 0.1}, {0.1, 1e2, 0.0}, {1e-6, 1.0, 0.1}, 1e-4, 0.0},
    {"with extreme time scales", 4, {1e-6, 1e7, 0.2}, {1e-6, 1e6, 0.2}, {1e-10, 1e4, 0.2}, 0.0, 2e-7},
    {"without resistance", 4, {0.1, 1e3, 0.2}, {1.0, 1.0, 1.0}, {1e-6, 1.0, 0.2}, 0.0, 2e-7},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static double draw(const struct range *range, struct random *r)
{
    const double any = range->low * pow(range->high / range->low, random_unit(r));
    return random_unit(r) < range->none ? 0.0 : any;
}

static void draw_branches(struct scene *s, const struct kind *kind, struct random *r)
{
    struct branch branches[BRANCHES];
    const size_t count = random_between(r, 1, BRANCHES);
    for (size_t m = 0; m < count; m++)
        do
            branches[m] =
                (struct branch){draw(&kind->inertance, r), draw(&kind->resistance, r), draw(&kind->stiffness, r), 0};
        while (branches[m].inertance + branches[m].resistance + branches[m].stiffness == 0.0);
    scene_draw_tanks(branches, count, r);
    scene_branches(s, 0, branches, count);
}

static void add_partition(struct scene *s, struct random *r)
{
    const size_t *n = s->problem.points, from[3] = {n[0] / 2, 0, 0}, to[3] = {n[0] / 2 + 1, n[1], n[2]};
    scene_fill(s, from, to, CELL_SOLID);
    scene_draw_transmission(&s->leapfrog, CELL_SOLID, r);
}

static int follow(struct validation *v, const struct kind *kind, size_t steps, struct balance *worst, struct error *e)
{
    struct scene s;
    struct balance b;
    size_t n[3];
    for (int axis = 0; axis < 3; axis++)
        n[axis] = random_between(&v->random, POINTS_MIN, POINTS_MAX);
    if (scene_box(&s, n[0], n[1], n[2], PRECISION_SINGLE, e))
        return -1;
    draw_branches(&s, kind, &v->random);
    if (random_between(&v->random, 0, 1))
        add_partition(&s, &v->random);
    const int status = balance_follow(&b, &s, v, steps, steps / INTERVALS, NULL, e);
    scene_free(&s);
    if (status)
        return -1;
    worst->error = nan_max(worst->error, b.error);
    worst->growth = nan_max(worst->growth, b.growth);
    worst->rise = nan_max(worst->rise, b.rise);
    return 0;
}

int check_wall_random(struct validation *v, struct report *r, struct error *e)
{
    const size_t steps = v->full ? 50000 : 5000;
    const int materials = v->cases ? v->cases : MATERIALS;
    for (size_t k = 0; k < KINDS; k++) {
        const struct kind *kind = &kinds[k];
        const double growth = kind->growth + kind->drift * (double)steps;
        const double rise = 0.1 * kind->growth + kind->drift * (double)steps;
        struct balance worst = {.growth = -1.0, .rise = -1.0};
        const int count = (materials + kind->one_in - 1) / kind->one_in;
        for (int i = 0; i < count; i++)
            if (follow(v, kind, steps, &worst, e))
                return -1;
        report_bound(r, "random", worst.growth, growth,
                     "%d random materials %s, single, %zu steps: growth of the energy relative to the start", count,
                     kind->meaning, steps);
        report_bound(r, "random", worst.rise, rise, "    growth between two of %d audits relative to the start",
                     INTERVALS);
        report_bound(r, "random", worst.error, kind->drift > 0.0 ? 1e-2 : 1e-3,
                     "    error of stored + absorbed energy relative to the start");
    }
    return 0;
}
