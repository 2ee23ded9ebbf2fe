/* SPDX-License-Identifier: MIT */
#include "geometry/crossings.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

enum { HALF = SNAP_UNITS / 2 };

/* A triangle seen along an axis: corners (b, c) counterclockwise, with heights h above the plane of b and c. Edge k, of
 * which corner k is opposite, has E = across[k] c + along[k] b + offset[k] >= 0 on its inner side; all E sum to twice
 * the area, and the height is sum E h / sum E. */
struct view {
    const struct snapped_triangle *triangle;
    int axis, b, c;                     /* b < c: the other axes */
    int64_t height[3], low[3], high[3]; /* low, high: of b, c, height */
    int64_t along[3], across[3];
    wide_integer offset[3], area;
    int64_t tie[3];   /* E must be this at least: on an edge the shifted lattice decides */
    int64_t reach[3]; /* the same for edges that reach further */
    int64_t wide;     /* that far */
};

struct target {
    uint32_t *start;
    crossing *at;        /* NULL: crossings are counted */
    const size_t *count; /* of the whole lattice */
    size_t from, end;    /* planes whose crossings are kept */
};

static wide_integer floor_div(wide_integer a, int64_t b)
{
    if (a >= INT64_MIN && a <= INT64_MAX) {
        const int64_t narrow = (int64_t)a, q = narrow / b;
        return q - (narrow % b != 0 && (narrow < 0) != (b < 0));
    }
    const wide_integer q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

static wide_integer ceil_div(wide_integer a, int64_t b)
{
    return -floor_div(-a, b);
}

static void bounds(const int64_t v[3], int64_t *low, int64_t *high)
{
    *low = *high = v[0];
    for (int k = 1; k < 3; k++) {
        *low = v[k] < *low ? v[k] : *low;
        *high = v[k] > *high ? v[k] : *high;
    }
}

/* False: the axis lies in the plane of the triangle. */
static bool look(struct view *v, const struct snapped_triangle *t, int axis, double seal)
{
    int64_t b[3], c[3];
    if (t->sign[axis] == 0)
        return false;
    *v = (struct view){.triangle = t, .axis = axis, .b = axis == 0 ? 1 : 0, .c = axis == 2 ? 1 : 2};
    for (int k = 0; k < 3; k++) {
        b[k] = t->corner[k][v->b];
        c[k] = t->corner[k][v->c];
        v->height[k] = t->corner[k][axis];
    }
    v->area = (wide_integer)(b[1] - b[0]) * (c[2] - c[0]) - (wide_integer)(b[2] - b[0]) * (c[1] - c[0]);
    if (v->area < 0) {
        int64_t *const swapped[3] = {b, c, v->height};
        for (int i = 0; i < 3; i++) {
            const int64_t second = swapped[i][1];
            swapped[i][1] = swapped[i][2];
            swapped[i][2] = second;
        }
        v->area = -v->area;
    }
    const int64_t *const all[3] = {b, c, v->height};
    for (int i = 0; i < 3; i++)
        bounds(all[i], &v->low[i], &v->high[i]);
    for (int k = 0; k < 3; k++) {
        const int from = (k + 1) % 3, to = (k + 2) % 3;
        v->along[k] = c[from] - c[to];
        v->across[k] = b[to] - b[from];
        v->offset[k] = -(wide_integer)v->across[k] * c[from] - (wide_integer)v->along[k] * b[from];
        v->tie[k] = v->along[k] > 0 || (v->along[k] == 0 && v->across[k] > 0) ? 0 : 1;
        v->reach[k] = v->tie[k];
        if (seal > 0.0)
            v->reach[k] = -(int64_t)(seal * SNAP_UNITS * hypot((double)v->along[k], (double)v->across[k]));
    }
    v->wide = (int64_t)(seal * SNAP_UNITS);
    return true;
}

/* Columns i, span[0] <= i <= span[1], whose E are at least least[]; those of count columns and of a span before. */
static void narrow(int64_t span[2], const struct view *v, const wide_integer e[3], const int64_t least[3])
{
    for (int k = 0; k < 3; k++) {
        const wide_integer rest = e[k] - least[k];
        if (v->along[k] == 0) {
            if (rest < 0)
                span[1] = span[0] - 1;
            continue;
        }
        /* along (SNAP_UNITS i + HALF) + rest >= 0 */
        const wide_integer s = rest + (wide_integer)v->along[k] * HALF;
        const int64_t d = v->along[k] * SNAP_UNITS;
        const wide_integer bound = d > 0 ? ceil_div(-s, d) : floor_div(s, -d);
        if (d > 0 && bound > span[0])
            span[0] = bound > span[1] ? span[1] + 1 : (int64_t)bound;
        if (d < 0 && bound < span[1])
            span[1] = bound < span[0] ? span[0] - 1 : (int64_t)bound;
    }
}

/* Whether a crossing near the centre of voxel p lies after it: exact; at the centre as the shifted lattice says. */
static bool lies_after(const struct view *v, const wide_integer e[3], int64_t i, int64_t p)
{
    const int64_t centre = p * SNAP_UNITS + HALF, column = i * SNAP_UNITS + HALF;
    wide_integer distance = 0;
    for (int k = 0; k < 3; k++)
        distance += (e[k] + (wide_integer)v->along[k] * column) * (v->height[k] - centre);
    if (distance != 0)
        return distance > 0;
    const int8_t *sign = v->triangle->sign;
    const int shift = sign[0] ? sign[0] : sign[1] ? sign[1] : sign[2];
    return (shift > 0) != (sign[v->axis] > 0);
}

/* A seal's crossing beyond the heights of the triangle is moved to their end. */
static bool end_lies_after(int64_t end, int64_t p)
{
    return end > p * SNAP_UNITS + HALF;
}

static void put(const struct target *to, const int64_t at[3], uint32_t place, uint32_t index, bool is_seal)
{
    const size_t row = (size_t)at[1] + to->count[1] * ((size_t)at[2] - to->from);
    uint32_t slot;
    if (!to->at) {
#pragma omp atomic
        to->start[row]++;
        return;
    }
#pragma omp atomic capture
    slot = --to->start[row];
    to->at[slot] = crossing_make((uint32_t)at[0], place, index, is_seal);
}

/* The crossings of columns span[0] to span[1] of a row; those within exact[] are the triangle's own. */
static void cross_row(const struct target *to, const struct view *v, const wide_integer e[3], int64_t j,
                      const int64_t span[2], const int64_t exact[2], uint32_t index)
{
    double height = 0.0, slope = 0.0;
    const double area = (double)v->area;
    const int64_t first = span[0] * SNAP_UNITS + HALF;
    for (int k = 0; k < 3; k++) {
        const double above = (double)(v->height[k] - v->height[0]);
        height += (double)(e[k] + (wide_integer)v->along[k] * first) / area * above;
        slope += (double)v->along[k] * SNAP_UNITS / area * above;
    }
    height += (double)v->height[0];
    for (int64_t i = span[0]; i <= span[1]; i++) {
        double z = height + (double)(i - span[0]) * slope;
        const bool own = i >= exact[0] && i <= exact[1];
        const int64_t *end = z < (double)v->low[2] ? &v->low[2] : z > (double)v->high[2] ? &v->high[2] : NULL;
        z = end ? (double)*end : z;
        const double u = (z - HALF) / SNAP_UNITS;
        double place = floor(u), part = u - place;
        int64_t link = (int64_t)place;
        if (part < 1e-5 || part > 1.0 - 1e-5) {
            const int64_t p = llround(u);
            const bool after = end && !own ? end_lies_after(*end, p) : lies_after(v, e, i, p);
            link = after ? p : p - 1;
            part = after ? 0.0 : 1.0;
        }
        if (link < 0 || link + 1 >= (int64_t)to->count[v->axis] ||
            (v->axis == 2 && (link < (int64_t)to->from || link >= (int64_t)to->end)))
            continue;
        const uint32_t on_link = part < 1.0 ? (uint32_t)(part * 65536.0) : 65535;
        int64_t at[3];
        at[v->axis] = link;
        at[v->b] = i;
        at[v->c] = j;
        put(to, at, on_link, index, !own);
    }
}

static void cross(const struct target *to, const struct snapped *s, size_t index, int axis, double seal)
{
    struct view v;
    if (!look(&v, &s->triangles[index], axis, seal))
        return;
    const int64_t columns = (int64_t)to->count[v.b];
    const int64_t begin = v.c == 2 ? (int64_t)to->from : 0, end = (int64_t)(v.c == 2 ? to->end : to->count[v.c]);
    int64_t first = (int64_t)ceil_div(v.low[1] - v.wide - HALF, SNAP_UNITS);
    int64_t last = (int64_t)floor_div(v.high[1] + v.wide - HALF, SNAP_UNITS);
    first = first < begin ? begin : first;
    last = last >= end ? end - 1 : last;
    for (int64_t j = first; j <= last; j++) {
        wide_integer e[3];
        int64_t span[2] = {(int64_t)ceil_div(v.low[0] - v.wide - HALF, SNAP_UNITS),
                           (int64_t)floor_div(v.high[0] + v.wide - HALF, SNAP_UNITS)};
        span[0] = span[0] < 0 ? 0 : span[0];
        span[1] = span[1] >= columns ? columns - 1 : span[1];
        for (int k = 0; k < 3; k++)
            e[k] = v.offset[k] + (wide_integer)v.across[k] * (j * SNAP_UNITS + HALF);
        narrow(span, &v, e, v.reach);
        if (span[0] > span[1])
            continue;
        int64_t exact[2] = {span[0], span[1]};
        if (v.wide > 0)
            narrow(exact, &v, e, v.tie);
        cross_row(to, &v, e, j, span, exact, (uint32_t)index);
    }
}

static void cross_all(const struct target *to, const struct snapped *s, int axis, double seal, int threads)
{
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)
    for (size_t i = 0; i < s->count; i++)
        if (!stop_requested())
            cross(to, s, i, axis, seal);
}

static int by_value(const void *a, const void *b)
{
    const crossing left = *(const crossing *)a, right = *(const crossing *)b;
    return (left > right) - (left < right);
}

static void sort_row(crossing *at, size_t count)
{
    enum { FEW = 24 };
    if (count > FEW) {
        qsort(at, count, sizeof *at, by_value);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const crossing c = at[i];
        size_t j = i;
        for (; j > 0 && at[j - 1] > c; j--)
            at[j] = at[j - 1];
        at[j] = c;
    }
}

static int find_along(struct crossings *c, const struct snapped *s, const size_t count[3],
                      const struct lattice_planes *planes, double seal, int axis, int threads, struct error *e)
{
    const size_t rows = count[1] * (planes->end - planes->from);
    struct target to = {
        .count = count, .from = planes->from, .end = planes->end, .start = calloc(rows + 1, sizeof *to.start)};
    uint64_t total = 0;
    c->start[axis] = to.start;
    if (!to.start)
        return fail(e, ERROR_MEMORY, "out of memory");
    cross_all(&to, s, axis, seal, threads);
    for (size_t r = 0; r < rows; r++) { /* the end of each row; those are filled from their ends */
        total += to.start[r];
        if (total > UINT32_MAX)
            return fail(e, ERROR_INPUT, "the triangles cross the grid lines more than %u times; use a coarser grid",
                        UINT32_MAX);
        to.start[r] = (uint32_t)total;
    }
    to.start[rows] = (uint32_t)total;
    to.at = c->at[axis] = malloc((total + 1) * sizeof *to.at);
    if (!to.at)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (stop_check(e))
        return -1;
    cross_all(&to, s, axis, seal, threads);
    if (stop_check(e))
        return -1;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t r = 0; r < rows; r++)
        if (to.start[r + 1] - to.start[r] > 1)
            sort_row(to.at + to.start[r], to.start[r + 1] - to.start[r]);
    return 0;
}

int crossings_find(struct crossings *c, const struct snapped *s, const size_t count[3],
                   const struct lattice_planes *planes, double seal, int threads, struct error *e)
{
    memset(c, 0, sizeof *c);
    for (int axis = 0; axis < 3; axis++)
        if (find_along(c, s, count, planes, seal, axis, threads > 0 ? threads : omp_get_max_threads(), e))
            return -1;
    return 0;
}

void crossings_free(struct crossings *c)
{
    for (int axis = 0; axis < 3; axis++) {
        free(c->start[axis]);
        free(c->at[axis]);
    }
    memset(c, 0, sizeof *c);
}
