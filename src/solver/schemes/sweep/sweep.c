/* SPDX-License-Identifier: MIT */
#include "solver/schemes/sweep/sweep.h"

#include <math.h>

static const char *const arrays[] = {"u", NULL};

static int check(const struct problem *p, struct error *e)
{
    const struct sweep_problem *s = sweep_of(p);
    if (s->dimensions < 1 || s->dimensions > 3 || s->radius < 1 || s->radius > (s->dimensions == 1 ? 3 : 2))
        return fail(e, ERROR_ENGINE,
                    "a sweep must have 1 to 3 dimensions and a radius of 1 or 2, or 3 in one dimension");
    for (int axis = 0; axis < 3; axis++)
        if (axis < s->dimensions ? p->points[axis] < 1 : p->points[axis] != 1)
            return fail(e, ERROR_ENGINE, "a grid of %zu x %zu x %zu points does not suit a sweep in %d dimensions",
                        p->points[0], p->points[1], p->points[2], s->dimensions);
    for (int i = 0; i < sweep_size(s); i++)
        if (!isfinite(s->coefficients[i]))
            return fail(e, ERROR_ENGINE, "coefficient c%d of the sweep must be finite", i);
    return scheme_without_channels(p, "sweep", e);
}

const struct scheme sweep_scheme = {
    .name = "sweep",
    .arrays = arrays,
    .array_count = 1,
    .stepped = 1,
    .radius = 3,
    .flops_per_point = 13.0, /* seven points */
    .values_per_point = 2,
    .check = check,
};
