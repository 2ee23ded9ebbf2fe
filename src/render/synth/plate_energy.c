/* SPDX-License-Identifier: MIT */
#include "render/synth/plate_energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "render/synth/banded.h"

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
    static const double depth_min = 0.5; /* spacings from a clamped rim: closer nodes are at rest to rounding */
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

void stiffness_add(double (*matrix)[REACH_COUNT], const struct stiffness *s, const struct difference *d,
                   double coefficient)
{
    for (size_t i = 0; i < d->count; i++)
        for (size_t j = 0; j < d->count; j++)
            if (s->active[d->at[i]] && s->active[d->at[j]])
                matrix[d->at[i]][stiffness_slot(s, d->at[i], d->at[j])] += coefficient * d->term[i] * d->term[j];
}

double stiffness_bound(const struct stiffness *s, double time_step, double sigma1)
{
    double max = 0.0;
    for (size_t i = 0; i < s->nx * s->ny; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < REACH_COUNT && s->active[i]; j++)
            sum += fabs(time_step * time_step * s->k[i][j] + 4.0 * sigma1 * time_step * s->l[i][j]);
        max = nan_max(max, sum);
    }
    return max;
}

/* The active nodes in order, and K as a band matrix over them. */
static int band_of(struct banded *b, uint32_t **node, const struct stiffness *s)
{
    const size_t nodes = s->nx * s->ny;
    uint32_t *number = calloc(nodes, sizeof *number);
    *node = calloc(nodes, sizeof **node);
    *b = (struct banded){0};
    if (!number || !*node) {
        free(number);
        return -1;
    }
    size_t count = 0, width = 0;
    for (size_t i = 0; i < nodes; i++)
        if (s->active[i]) {
            number[i] = (uint32_t)count;
            (*node)[count++] = (uint32_t)i;
        }
    for (int fill = 0; fill < 2; fill++) {
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < REACH_COUNT; j++) {
                const double value = s->k[(*node)[i]][j];
                if (value == 0.0)
                    continue;
                const size_t other = number[stiffness_other(s, (*node)[i], j)];
                if (other > i)
                    continue;
                if (fill)
                    *banded_at(b, i, other) = value;
                else
                    width = i - other > width ? i - other : width;
            }
        if (!fill && banded_make(b, count, width))
            break;
    }
    free(number);
    return b->entry ? 0 : -1;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double iterate(const struct banded *b, const uint32_t *node, size_t nx, double *x)
{
    double eigenvalue = 0.0, last = -1.0;
    for (size_t i = 0; i < b->count; i++) /* a start without symmetry, which would hide the lowest mode */
        x[i] = 1.0 + 0.3 * sin(0.7 * (double)(node[i] % nx)) + 0.2 * cos(1.3 * (double)(node[i] / nx));
    for (int n = 0; n < 200 && fabs(eigenvalue - last) > 1e-13 * fabs(eigenvalue); n++) {
        const double length = sqrt(dot(x, x, b->count));
        for (size_t i = 0; i < b->count; i++)
            x[i] /= length;
        memcpy(x + b->count, x, b->count * sizeof *x);
        banded_solve(b, x);
        last = eigenvalue;
        eigenvalue = 1.0 / dot(x, x + b->count, b->count);
    }
    return eigenvalue;
}

double stiffness_lowest(const struct stiffness *s, struct error *e)
{
    struct banded b;
    uint32_t *node;
    double result = NAN;
    double *x = band_of(&b, &node, s) ? NULL : calloc(2 * b.count + 1, sizeof *x);
    if (!x) {
        fail(e, ERROR_MEMORY, "out of memory");
    } else {
        banded_factor(&b);
        result = stop_requested() ? NAN : iterate(&b, node, s->nx, x);
        if (stop_requested())
            fail(e, ERROR_STOPPED, "stopped while preparing a surface of %zu nodes", b.count);
    }
    free(x);
    free(node);
    banded_free(&b);
    return result;
}
