/* SPDX-License-Identifier: MIT */
#include "solver/schemes/free_air.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"

void air_points_free(struct air_points *a)
{
    free(a->point);
    free(a->weight);
    memset(a, 0, sizeof *a);
}

/* Points from low to high (inclusive) along each axis. */
struct span {
    long low[3], high[3];
};

struct box {
    struct span all; /* the arrays add a layer of zeros around it */
    size_t stride[3], size;
    double *level[3]; /* levels next, now, before */
    double along, across, here;
};

static void hold(struct span *s, const struct air_points *points)
{
    for (size_t q = 0; q < points->count; q++)
        for (int axis = 0; axis < 3; axis++) {
            const long at = points->point[q][axis];
            s->low[axis] = at < s->low[axis] ? at : s->low[axis];
            s->high[axis] = at > s->high[axis] ? at : s->high[axis];
        }
}

static struct span span_of(const struct air_points *points, size_t count)
{
    struct span s;
    for (int axis = 0; axis < 3; axis++)
        s.low[axis] = s.high[axis] = points->point[0][axis];
    for (size_t i = 0; i < count; i++)
        hold(&s, &points[i]);
    return s;
}

static struct span widened(struct span s, long by)
{
    for (int axis = 0; axis < 3; axis++) {
        s.low[axis] -= by;
        s.high[axis] += by;
    }
    return s;
}

static struct span common(struct span a, const struct span *b)
{
    for (int axis = 0; axis < 3; axis++) {
        a.low[axis] = b->low[axis] > a.low[axis] ? b->low[axis] : a.low[axis];
        a.high[axis] = b->high[axis] < a.high[axis] ? b->high[axis] : a.high[axis];
    }
    return a;
}

static size_t index_of(const struct box *b, const long at[3])
{
    size_t index = 0;
    for (int axis = 0; axis < 3; axis++)
        index += (size_t)(at[axis] - b->all.low[axis] + 1) * b->stride[axis];
    return index;
}

static int box_open(struct box *b, const struct span *all, enum air_stencil stencil, double courant_squared,
                    struct error *e)
{
    *b = (struct box){.all = *all, .size = 1};
    for (int axis = 0; axis < 3; axis++) {
        b->stride[axis] = b->size;
        b->size *= (size_t)(all->high[axis] - all->low[axis] + 3);
    }
    b->along = stencil == STENCIL_19_POINT ? courant_squared / 3.0 : courant_squared;
    b->across = stencil == STENCIL_19_POINT ? 0.5 * b->along : 0.0;
    b->here = 2.0 - 6.0 * b->along - 12.0 * b->across;
    if (memory_demand(24.0 * (double)b->size, e, "tables of the air near a source"))
        return -1;
    for (int i = 0; i < 3; i++)
        if (!(b->level[i] = calloc(b->size, sizeof **b->level)))
            return fail(e, ERROR_MEMORY, "out of memory");
    return 0;
}

static void box_close(struct box *b)
{
    for (int i = 0; i < 3; i++)
        free(b->level[i]);
}

/* p⁺ = W S6 + W' S12 + (2 - 6 W - 12 W') p - p⁻ over a row from `at`: (A1) of the 19-point
 * scheme, or the 7-point scheme with W' = 0. */
static void step_row(const struct box *b, const long at[3], size_t count)
{
    const ptrdiff_t y = (ptrdiff_t)b->stride[1], z = (ptrdiff_t)b->stride[2];
    const size_t first = index_of(b, at);
    const double along = b->along, across = b->across, here = b->here;
    double *restrict next = b->level[0] + first;
    const double *restrict p = b->level[1] + first, *restrict before = b->level[2] + first;
    for (size_t i = 0; i < count; i++) {
        const double *at_i = p + i;
        const double six = ((at_i[-1] + at_i[1]) + (at_i[-y] + at_i[y])) + (at_i[-z] + at_i[z]);
        next[i] = along * six + here * *at_i - before[i];
    }
    if (across == 0.0)
        return;
    for (size_t i = 0; i < count; i++) {
        const double *at_i = p + i;
        const double flat = (at_i[-y - 1] + at_i[-y + 1]) + (at_i[y - 1] + at_i[y + 1]);
        const double below = (at_i[-z - 1] + at_i[-z + 1]) + (at_i[-z - y] + at_i[-z + y]);
        const double above = (at_i[z - 1] + at_i[z + 1]) + (at_i[z - y] + at_i[z + y]);
        next[i] += across * (flat + (below + above));
    }
}

/* Number of points that p is outside of low .. high. */
static long outside(long p, long low, long high)
{
    return p < low ? low - p : p > high ? p - high : 0;
}

/* The points of a row that a wave passes within `steps` from, or to, the points of a span: each step changes one index by 1,
 * or two of them on the 19-point scheme. */
static void within_reach(long *low, long *high, const struct span *s, long steps, const struct box *b, long y, long z)
{
    const long away = outside(y, s->low[1], s->high[1]) + outside(z, s->low[2], s->high[2]);
    const long left = (b->across != 0.0 ? 2 * steps : steps) - away, reach = left < steps ? left : steps;
    *low = s->low[0] - reach > *low ? s->low[0] - reach : *low;
    *high = s->high[0] + reach < *high ? s->high[0] + reach : *high;
}

/* Of `part`, the points that `from` reaches in `gone` steps and that reach `to` in `left` steps. */
static void step(struct box *b, const struct span *part, const struct span *from, long gone, const struct span *to,
                 long left)
{
    const long rows = part->high[1] - part->low[1] + 1, planes = part->high[2] - part->low[2] + 1;
    if (rows <= 0 || planes <= 0)
        return;
#pragma omp parallel for schedule(dynamic, 64)
    for (long row = 0; row < rows * planes; row++) {
        const long y = part->low[1] + row % rows, z = part->low[2] + row / rows;
        long low = part->low[0], high = part->high[0];
        within_reach(&low, &high, from, gone, b, y, z);
        within_reach(&low, &high, to, left, b, y, z);
        if (low <= high)
            step_row(b, (const long[]){low, y, z}, (size_t)(high - low + 1));
    }
}

static double read_tap(const struct box *b, const struct air_points *tap)
{
    double sum = 0.0;
    for (size_t q = 0; q < tap->count; q++)
        sum += tap->weight[q] * b->level[1][index_of(b, tap->point[q])];
    return sum;
}

/* Computes levels 1, 2 .., only at points that the source has reached and from which it can
 * still reach a tap. */
static int run(double *out, struct box *b, const struct air_points *source, const struct air_points *taps,
               size_t tap_count, size_t steps, struct error *e)
{
    const struct span from = span_of(source, 1), to = span_of(taps, tap_count);
    for (size_t n = 0; n < steps && !stop_check(e); n++) {
        for (size_t i = 0; i < tap_count; i++)
            out[i * steps + n] = read_tap(b, &taps[i]);
        const long gone = (long)n, left = (long)(steps - n);
        const struct span reach = widened(to, left);
        const struct span part = common(common(widened(from, gone), &reach), &b->all);
        step(b, &part, &from, gone, &to, left);
        for (size_t q = 0; q < source->count && n == 0; q++)
            b->level[0][index_of(b, source->point[q])] += source->weight[q];
        double *last = b->level[2];
        b->level[2] = b->level[1];
        b->level[1] = b->level[0];
        b->level[0] = last;
    }
    return stop_check(e);
}

int free_air_responses(double *out, enum air_stencil stencil, double courant_squared, const struct air_points *source,
                       const struct air_points *taps, size_t tap_count, size_t steps, struct error *e)
{
    struct box b;
    struct span all = span_of(taps, tap_count);
    hold(&all, source);
    all = widened(all, (long)(steps + 1) / 2); /* a wave that leaves needs the same number of steps to return */
    int status = box_open(&b, &all, stencil, courant_squared, e) || run(out, &b, source, taps, tap_count, steps, e);
    box_close(&b);
    return status ? -1 : 0;
}
