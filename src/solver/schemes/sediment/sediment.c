/* SPDX-License-Identifier: MIT */
#include "solver/schemes/sediment/sediment.h"

#include <math.h>

static const char *const arrays[] = {"h", "s", "alpha", "beta", NULL};

double sediment_step_limit(const struct sediment_problem *s)
{
    const double x = s->spacing[0], y = s->spacing[1];
    return 1.0 / (2.0 * s->mobility_max * (1.0 / (x * x) + 1.0 / (y * y)));
}

struct sediment_factors sediment_factors_of(const struct sediment_problem *s)
{
    struct sediment_factors f = {.sand = 1.0 / s->compaction[0], .mud = 1.0 / s->compaction[1], .layer = s->layer};
    for (int axis = 0; axis < 2; axis++) {
        f.h[axis] = s->time_step / (2.0 * s->spacing[axis] * s->spacing[axis]);
        f.s[axis] = f.h[axis] * f.sand;
    }
    return f;
}

struct sediment_edge sediment_edge_at(const struct sediment_problem *s, int side, size_t i, double alpha, double beta)
{
    const double spacing = s->spacing[side / 2];
    const double sand = s->inflow[0][side] ? s->inflow[0][side][i] : 0.0;
    const double mud = s->inflow[1][side] ? s->inflow[1][side][i] : 0.0;
    const double a = sand != 0.0 && alpha != 0.0 ? sand * s->compaction[0] * spacing / alpha : 0.0;
    const double b = mud != 0.0 && beta != 0.0 ? mud * s->compaction[1] * spacing / beta : 0.0;
    if (a + b == 0.0)
        return (struct sediment_edge){.rise = 0.0, .twice = 0.0, .sign = 1.0};
    return (struct sediment_edge){.rise = a + b, .twice = 2.0 * a / (a + b), .sign = -1.0};
}

static int check_inflow(const struct problem *p, struct error *e)
{
    static const char *const sides[] = {"x_min", "x_max", "y_min", "y_max"};
    const struct sediment_problem *s = sediment_of(p);
    for (int side = 0; side < 4; side++)
        for (size_t i = 0; i < p->points[side < 2 ? 1 : 0]; i++) {
            const double sand = s->inflow[0][side] ? s->inflow[0][side][i] : 0.0;
            const double mud = s->inflow[1][side] ? s->inflow[1][side][i] : 0.0;
            if (!isfinite(sand) || !isfinite(mud) || sand * mud < 0.0)
                return fail(e, ERROR_ENGINE,
                            "inflow at point %zu of %s: sand %g and mud %g must be finite and have the same sign", i,
                            sides[side], sand, mud);
        }
    return 0;
}

static bool is_positive(double value)
{
    return value > 0.0 && isfinite(value);
}

static int check(const struct problem *p, struct error *e)
{
    const struct sediment_problem *s = sediment_of(p);
    if (p->precision != PRECISION_DOUBLE)
        return fail(e, ERROR_ENGINE, "the sediment scheme supports double precision only");
    if (p->points[0] < 2 || p->points[1] < 2 || p->points[2] != 1)
        return fail(e, ERROR_ENGINE, "a basin must have at least 2 x 2 points and exactly one plane");
    if (!is_positive(s->spacing[0]) || !is_positive(s->spacing[1]) || !is_positive(s->layer) ||
        !is_positive(s->compaction[0]) || !is_positive(s->compaction[1]) || !is_positive(s->mobility_max) ||
        s->part < SEDIMENT_H || s->part > SEDIMENT_BOTH)
        return fail(e, ERROR_ENGINE,
                    "the spacings, layer, compaction and mobility of a basin must be positive and finite");
    if (!(is_positive(s->time_step) && s->time_step <= sediment_step_limit(s)))
        return fail(e, ERROR_ENGINE,
                    "time step %.9g: must be positive and not exceed the stability limit %.9g = 1/(2 m (1/dx^2 + "
                    "1/dy^2)), m = %g",
                    s->time_step, sediment_step_limit(s), s->mobility_max);
    return check_inflow(p, e) || scheme_without_channels(p, "sediment", e);
}

static int work(const struct problem *p)
{
    const struct sediment_problem *s = sediment_of(p);
    return (int)s->part | (s->conservative ? 4 : 0);
}

const struct scheme sediment_scheme = {
    .name = "sediment",
    .arrays = arrays,
    .array_count = 4,
    .stepped = 2,
    .ghosts = 1,
    .radius = 1,
    .flops_per_point = SEDIMENT_FLOPS_H + SEDIMENT_FLOPS_S,
    .values_per_point = 6,
    .check = check,
    .work = work,
};
