/* SPDX-License-Identifier: MIT */
#include "solver/schemes/derivative/derivative.h"

#include <math.h>

const double derivative_coefficients[DERIVATIVE_RADIUS] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};

static const char *const arrays[] = {"f", "df", NULL};

static int check(const struct problem *p, struct error *e)
{
    const struct derivative_problem *d = derivative_of(p);
    if (d->axis < 0 || d->axis > 2)
        return fail(e, ERROR_ENGINE, "axis of the derivative: must be 0, 1 or 2, not %d", d->axis);
    if (!(d->spacing > 0.0) || !isfinite(d->spacing))
        return fail(e, ERROR_ENGINE, "spacing %g: must be positive", d->spacing);
    for (int axis = 0; axis < 3; axis++)
        if (p->points[axis] < (axis == d->axis ? 2 * DERIVATIVE_RADIUS + 1 : 1))
            return fail(e, ERROR_ENGINE,
                        "%zu points along axis %d: the nine-point derivative needs at least nine along its axis and "
                        "one along the others",
                        p->points[axis], axis);
    return scheme_without_channels(p, "derivative", e);
}

static int work(const struct problem *p)
{
    return derivative_of(p)->axis;
}

const struct scheme derivative_scheme = {
    .name = "derivative",
    .arrays = arrays,
    .array_count = 2,
    .radius = DERIVATIVE_RADIUS,
    .flops_per_point = 11.0,
    .values_per_point = 2,
    .check = check,
    .work = work,
};
