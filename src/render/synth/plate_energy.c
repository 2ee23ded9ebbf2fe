/* SPDX-License-Identifier: MIT */
#include "render/synth/plate_energy.h"

#include <math.h>

/* Integral of the hat 1 - |t| from -1 to t. */
static double hat_below(double t)
{
    if (t <= -1.0)
        return 0.0;
    if (t < 0.0)
        return 0.5 * (1.0 + t) * (1.0 + t);
    return t < 1.0 ? 1.0 - 0.5 * (1.0 - t) * (1.0 - t) : 1.0;
}

/* Half the width of the outline at a distance y from its middle; negative beyond it. */
static double half_width(const struct surface_plan *p, double y)
{
    if (p->outline == SURFACE_RECTANGLE)
        return fabs(y) < p->half[1] ? p->half[0] : -1.0;
    return fabs(y) < p->half[0] ? sqrt(p->half[0] * p->half[0] - y * y) : -1.0;
}

double plate_share(const struct surface_plan *p, const struct surface_grid *g, double x, double y)
{
    enum { LINES = 64 };
    const double *h = g->spacing, far[2] = {fabs(x) + h[0], fabs(y) + h[1]};
    if (p->outline == SURFACE_CIRCLE ? hypot(far[0], far[1]) <= p->half[0]
                                     : far[0] <= p->half[0] + 1e-9 * h[0] && far[1] <= p->half[1] + 1e-9 * h[1])
        return 1.0;
    double sum = 0.0;
    for (int i = 0; i < LINES; i++) {
        const double t = 2.0 * (i + 0.5) / LINES - 1.0, width = half_width(p, fabs(y) + t * h[1]);
        if (width > 0.0)
            sum += 2.0 * (1.0 - fabs(t)) / LINES *
                   (hat_below((width - fabs(x)) / h[0]) - hat_below((-width - fabs(x)) / h[0]));
    }
    return sum;
}

bool plate_moves(const struct surface_plan *p, const struct surface_grid *g, double ix, double iy)
{
    static const double share_min = 0.3; /* of a node at a free edge: lighter ones would shorten the time step */
    static const double depth_min = 0.5; /* spacings from a clamped rim: nodes nearer to it are at rest to rounding */
    if (p->edge == SURFACE_FREE)
        return plate_share(p, g, ix * g->spacing[0], iy * g->spacing[1]) >= share_min;
    if (p->outline == SURFACE_CIRCLE) {
        const double radius = (double)g->cells;
        return radius * radius - (ix * ix + iy * iy) > 2.0 * radius * depth_min;
    }
    return fabs(ix) * g->spacing[0] < p->half[0] - 1e-9 * g->spacing[0] &&
           fabs(iy) * g->spacing[1] < p->half[1] - 1e-9 * g->spacing[1];
}

struct difference plate_curvature(const struct plate_nodes *p, size_t at, int axis)
{
    const size_t step = axis ? p->matrix->nx : 1;
    const double w = 1.0 / (p->grid->spacing[axis] * p->grid->spacing[axis]);
    return (struct difference){3, {at - step, at, at + step}, {w, -2.0 * w, w}};
}

struct difference difference_sum(const struct difference *a, const struct difference *b, double factor)
{
    struct difference sum = *a;
    for (size_t i = 0; i < b->count; i++) {
        sum.at[sum.count] = b->at[i];
        sum.term[sum.count++] = factor * b->term[i];
    }
    return sum;
}
