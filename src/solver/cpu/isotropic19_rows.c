/* SPDX-License-Identifier: MIT */
/* The 19-point scheme by columns of vectors: the fast kernel of the CPU engine.
 *
 * The same vector of similar rows (corner_columns.h), in up to PLANES_MAX adjacent planes, is
 * stepped row after row along y. Each plane computes
 *     r = p(x-1) + p(x+1)    a = r + (p(y-1) + p(y+1))    v = 2 p + a    d = r(y-1) + r(y+1)
 * and the step is h ((v(z-1) + v(z+1)) + (2 a + d)) + C p - p⁻. So v is computed once for the
 * planes above and below it, and p and r of a row stay in registers for the adjacent rows.
 * Neighbours across a wall are mirrored: rows by their pointers, lanes by masks. Points whose
 * mirroring differs from that of their vector are stepped individually.
 *
 * Compiled as leapfrog_rows.c; sums in the order of isotropic19_reference.c. */
#include <stdint.h>
#include <string.h>

#include "solver/cpu/corner_columns.h"
#include "solver/cpu/kernels.h"
#include "solver/cpu/row_walls.h"
#include "solver/cpu/variant.h"
#include "solver/cpu/vectors.h"
#include "solver/schemes/isotropic19/isotropic19.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

void NAME(isotropic19_sweep)(const struct field *f, size_t row0, size_t row1, void *saved);
void NAME(isotropic19_sweep_planes)(const struct field *f, size_t row0, size_t row1, size_t planes, void *saved);

/* Lanes of a vector that are written, lanes without a left side and lanes without a right side. */
struct lane_masks {
    mask write, no_left, no_right;
};

/* A column of `count` rows in some planes. */
struct column {
    const REAL *p; /* in the first row of the lowest plane */
    REAL *u;       /* p⁻ on entry, p⁺ on return */
    size_t count;
    ptrdiff_t stride, plane;
    ptrdiff_t up, down;     /* offsets beyond the first and the last row, mirrored at walls */
    ptrdiff_t below, above; /* offsets beyond the lowest and the highest plane, mirrored at walls */
    const char *ahead[2];   /* memory to prefetch, one cache line per row */
    struct lane_masks lanes;
};

static inline vector choose(mask where, vector a, vector b)
{
    return (vector)((where & (mask)a) | (~where & (mask)b));
}

/* p and r of a vector. */
struct line {
    vector p, r;
};

/* e: NULL if all lanes have both sides. */
ALWAYS_INLINE struct line load_line(const REAL *p, const struct lane_masks *e)
{
    const vector here = load(p);
    const vector left = left_neighbours(load(p - LANES), here), right = right_neighbours(here, load(p + LANES));
    if (!e)
        return (struct line){here, left + right};
    return (struct line){here, choose(e->no_left, right, left) + choose(e->no_right, left, right)};
}

ALWAYS_INLINE void put_step(REAL *u, vector p, vector sum, const struct lane_masks *e)
{
    const REAL h = (REAL)(0.5 * ISOTROPIC19_W), centre = (REAL)(2.0 - 12.0 * ISOTROPIC19_W);
    const vector old = load(u), made = (h * sum + centre * p) - old;
    *(vector *)u = e ? choose(e->write, made, old) : made;
}

/* Row y of the plane below or above. Here and in the stepped planes, p of row y - 1 is loaded
 * again, as the registers do not suffice to hold it. */
struct outer {
    ptrdiff_t offset; /* offset from the lowest plane */
    struct line line;
};

ALWAYS_INLINE struct outer open_outer(const struct column *c, ptrdiff_t offset, const struct lane_masks *e)
{
    return (struct outer){offset, load_line(c->p + offset, e)};
}

/* Returns v of row y, and advances to the next row. */
ALWAYS_INLINE vector outer_sum(struct outer *o, const REAL *previous, const REAL *next, const struct lane_masks *e)
{
    const struct line line = load_line(next + o->offset, e);
    const vector v = twice_plus(o->line.p, o->line.r + (load(previous + o->offset) + line.p));
    o->line = line;
    return v;
}

/* Prefetches the first values that a row of the column reads: p⁻, and p of the next vector along
 * x. Rows are too far apart for hardware prefetching. */
enum { ROWS_AHEAD = 5 };
ALWAYS_INLINE void prefetch_rows(const struct column *c, const REAL *p, const REAL *u, int planes)
{
    __builtin_prefetch(p + c->below + LANES);
    __builtin_prefetch(p + (planes - 1) * c->plane + c->above + LANES);
#pragma GCC unroll 4
    for (int k = 0; k < planes; k++) {
        __builtin_prefetch(p + k * c->plane + LANES);
        __builtin_prefetch(u + k * c->plane);
    }
}

ALWAYS_INLINE void step_column(const struct column *c, int planes, const struct lane_masks *e)
{
    const ptrdiff_t stride = c->stride, plane = c->plane;
    const size_t count = c->count;
    const REAL *p = c->p, *previous = p + c->up;
    REAL *u = c->u;
    vector older[PLANES_MAX];      /* r of row y - 1 */
    struct line newer[PLANES_MAX]; /* row y */
    struct outer below = open_outer(c, c->below, e), above = open_outer(c, (planes - 1) * plane + c->above, e);
    const char *ahead[2] = {c->ahead[0], c->ahead[1]};
#pragma GCC unroll 4
    for (int k = 0; k < planes; k++) {
        older[k] = load_line(previous + k * plane, e).r;
        newer[k] = load_line(p + k * plane, e);
    }
    for (size_t j = 0; j < count; j++) {
        const REAL *next = p + (j + 1 < count ? stride : c->down);
        const ptrdiff_t further = j + ROWS_AHEAD < count ? ROWS_AHEAD * stride : 0;
#pragma GCC unroll 2
        for (int k = 0; k < 2; k++) {
            __builtin_prefetch(ahead[k], 0, 2); /* to the second-level cache */
            ahead[k] += ROW_ALIGNMENT;
        }
        prefetch_rows(c, p + further, u + further, planes);
        vector lower = outer_sum(&below, previous, next, e); /* v(z-1) */
        vector here = {0}, inner = {0}, v = {0};             /* of plane z */
#pragma GCC unroll 4
        for (int k = 0; k < planes; k++) {
            const struct line line = load_line(next + k * plane, e);
            const vector a = newer[k].r + (load(previous + k * plane) + line.p), d = older[k] + line.r;
            const vector upper = twice_plus(newer[k].p, a);
            if (k > 0) {
                put_step(u + (k - 1) * plane, here, (lower + upper) + inner, e);
                lower = v;
            }
            here = newer[k].p;
            v = upper;
            inner = twice_plus(a, d);
            older[k] = newer[k].r;
            newer[k] = line;
        }
        put_step(u + (planes - 1) * plane, here, (lower + outer_sum(&above, previous, next, e)) + inner, e);
        previous = p;
        p += stride;
        u += stride;
    }
}

#define COLUMN_STEPS(planes)                                                                                           \
    static __attribute__((noinline)) void whole_##planes(const struct column *c)                                       \
    {                                                                                                                  \
        step_column(c, planes, NULL);                                                                                  \
    }                                                                                                                  \
    static __attribute__((noinline)) void masked_##planes(const struct column *c)                                      \
    {                                                                                                                  \
        step_column(c, planes, &c->lanes);                                                                             \
    }
COLUMN_STEPS(1)
COLUMN_STEPS(2)
COLUMN_STEPS(4)

static inline mask mask_of(unsigned bits)
{
    static const MASK_INTEGER lanes[LANES_MAX] __attribute__((aligned(ROW_ALIGNMENT))) = {
        1u << 0, 1u << 1, 1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
        1u << 8, 1u << 9, 1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15};
    const mask lane = *(const mask *)lanes, all = (mask){0} + (MASK_INTEGER)bits;
    return (mask)((all & lane) == lane);
}

/* Rows of the same layout in some planes: rows `row` + k ny for each plane k. */
struct group {
    size_t row, count, planes;
};

/* Vectors of the first and the last rows of a group. */
struct ends {
    const struct corner_lanes *first[PLANES_MAX], *last[PLANES_MAX]; /* [plane], of vector 0 */
};

/* Whether vector i has the same lanes in all planes, joined by air. */
static inline bool same_planes(const struct ends *e, size_t i, size_t planes)
{
    for (size_t k = 1; k < planes; k++) {
        const struct corner_lanes *a = &e->first[k - 1][i], *b = &e->first[k][i];
        if (((a->write ^ b->write) | (a->no_left ^ b->no_left) | (a->no_right ^ b->no_right)) ||
            ((a->sides_y ^ b->sides_y) & SIDE_LOWER) || !(a->sides_z & SIDE_UPPER) || !(b->sides_z & SIDE_LOWER) ||
            ((e->last[k - 1][i].sides_y ^ e->last[k][i].sides_y) & SIDE_UPPER))
            return false;
    }
    return true;
}

/* Steps a vector of the group in `planes` planes from `plane` on, whose lanes are the same. */
static void step_vector(const struct field *f, const struct group *g, const struct ends *e, size_t i, size_t plane,
                        size_t planes)
{
    static void (*const steps[][2])(const struct column *) = {
        [1] = {masked_1, whole_1}, [2] = {masked_2, whole_2}, [4] = {masked_4, whole_4}};
    const size_t at = (g->row + plane * f->rows.ny) * f->rows.stride + i * LANES;
    const ptrdiff_t stride = (ptrdiff_t)f->rows.stride, whole = stride * (ptrdiff_t)f->rows.ny;
    const struct corner_lanes *first = &e->first[plane][i], *last = &e->last[plane][i];
    const struct corner_lanes *top = &e->first[plane + planes - 1][i];
    const bool full = first->write == (1u << LANES) - 1 && !first->no_left && !first->no_right;
    struct column c;
    c.p = (const REAL *)f->now + at;
    c.u = (REAL *)f->next + at;
    c.count = g->count;
    c.stride = stride;
    c.plane = whole;
    c.up = first->sides_y & SIDE_LOWER ? -stride : stride;
    c.down = last->sides_y & SIDE_UPPER ? stride : -stride;
    c.below = first->sides_z & SIDE_LOWER ? -whole : whole;
    c.above = top->sides_z & SIDE_UPPER ? whole : -whole;
    if (!prefetch_take(f->prefetch, c.ahead, g->count))
        c.ahead[0] = c.ahead[1] = (const char *)c.p;
    if (!full)
        c.lanes = (struct lane_masks){mask_of(first->write), mask_of(first->no_left), mask_of(first->no_right)};
    steps[planes][full](&c);
}

static void step_group(const struct field *f, const struct group *g)
{
    struct ends e;
    for (size_t k = 0; k < g->planes; k++) {
        e.first[k] = corner_lanes_of(f->columns, g->row + k * f->rows.ny);
        e.last[k] = corner_lanes_of(f->columns, g->row + k * f->rows.ny + g->count - 1);
    }
    for (size_t i = 0; i < f->columns->vectors; i++) {
        if (same_planes(&e, i, g->planes)) {
            if (e.first[0][i].write)
                step_vector(f, g, &e, i, 0, g->planes);
            continue;
        }
        for (size_t k = 0; k < g->planes; k++)
            if (e.first[k][i].write)
                step_vector(f, g, &e, i, k, 1);
    }
}

/* p + ((p - p⁻) + g Σ n (p_j - p)), neighbours in canonical order, for a point that cannot be
 * expressed by mirroring. */
static inline void step_assembled(const struct odd_corner *corner, const REAL *p, REAL *u)
{
    const REAL here = *p;
    REAL sum = 0;
#pragma GCC unroll 18
    for (int j = 0; j < CORNER_NEIGHBOURS; j++)
        sum += (REAL)corner->links[j] * (p[corner->offset[j]] - here);
    *u = here + ((here - *u) + (REAL)corner->g * sum);
}

/* Steps a point whose mirroring differs from that of its vector. */
static inline void step_mirrored(const struct odd_corner *corner, const REAL *p, REAL *u)
{
    const REAL h = (REAL)(0.5 * ISOTROPIC19_W), centre = (REAL)(2.0 - 12.0 * ISOTROPIC19_W);
    const ptrdiff_t left = corner->offset[0], right = corner->offset[1];
    const REAL *up = p + corner->offset[2], *down = p + corner->offset[3];
    REAL v[2];
    for (int k = 0; k < 2; k++) {
        const REAL *q = p + corner->offset[4 + k];
        v[k] = (REAL)2 * q[0] + ((q[left] + q[right]) + (q[corner->offset[2]] + q[corner->offset[3]]));
    }
    const REAL a = (p[left] + p[right]) + (*up + *down);
    const REAL d = (up[left] + up[right]) + (down[left] + down[right]);
    *u = (h * ((v[0] + v[1]) + ((REAL)2 * a + d)) + centre * *p) - *u;
}

static void step_odd(const struct field *f, size_t row)
{
    const struct corner_columns *columns = f->columns;
    const REAL *p = (const REAL *)f->now + row * f->rows.stride;
    REAL *u = (REAL *)f->next + row * f->rows.stride;
    const uint64_t *start = columns->odd_start + 2 * row;
    for (uint64_t i = start[0]; i < start[1]; i++) {
        const struct odd_point at = columns->odd[i];
        step_mirrored(&columns->corners[at.pattern], p + at.x, u + at.x);
    }
    for (uint64_t i = start[1]; i < start[2]; i++) {
        const struct odd_point at = columns->odd[i];
        step_assembled(&columns->corners[at.pattern], p + at.x, u + at.x);
    }
}

/* planes: 1, 2 or 4 */
static void sweep_rows(const struct field *f, size_t row0, size_t row1, size_t planes)
{
    const size_t ny = f->rows.ny;
    for (struct group g = {.row = row0, .planes = planes}; g.row < row1; g.row += g.count) {
        g.count = row1 - g.row;
        for (size_t k = 0; k < planes; k++) {
            const size_t alike = (size_t)f->columns->rows[g.row + k * ny].alike + 1;
            g.count = alike < g.count ? alike : g.count;
        }
        step_group(f, &g);
    }
    for (size_t k = 0; k < planes; k++)
        for (size_t row = row0 + k * ny, end = row1 + k * ny; row < end; row++) {
            row += f->columns->rows[row].even;
            if (row < end)
                step_odd(f, row);
        }
}

void NAME(isotropic19_sweep_planes)(const struct field *f, size_t row0, size_t row1, size_t planes, void *saved)
{
    const struct rows *rows = &f->rows;
    for (size_t k = 0; k < planes && rows->wall_max > 0; k++) {
        REAL *keep = (REAL *)saved + k * rows->wall_max;
        for (size_t row = row0 + k * rows->ny; row < row1 + k * rows->ny; row++)
            keep += save_walls(keep, (const REAL *)f->before + row * rows->stride, rows->wall_x + rows->wall_start[row],
                               (size_t)(rows->wall_start[row + 1] - rows->wall_start[row]));
    }
    for (size_t done = 0; done < planes;) {
        const size_t left = planes - done, now = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        sweep_rows(f, row0 + done * rows->ny, row1 + done * rows->ny, now);
        done += now;
    }
}

void NAME(isotropic19_sweep)(const struct field *f, size_t row0, size_t row1, void *saved)
{
    NAME(isotropic19_sweep_planes)(f, row0, row1, 1, saved);
}

/* Walls of real admittance in the 19-point scheme, as in leapfrog_rows.c, at points of any mass. */

void NAME(isotropic19_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed);

/* Absorption at consecutive points; adds the energy times 2 MASS_UNITS to `taken`. */
static inline void absorb_row(REAL *restrict u, const REAL *restrict before, const REAL *restrict weights,
                              const uint8_t *restrict mass, size_t count, double *restrict taken)
{
    size_t i = 0;
    for (; i + SUMS <= count; i += SUMS) {
#pragma omp simd
        for (size_t k = 0; k < SUMS; k++)
            taken[k] += absorb(u + i + k, before[i + k], weights[i + k]) * (double)mass[i + k];
    }
    for (; i < count; i++)
        taken[i % SUMS] += absorb(u + i, before[i], weights[i]) * (double)mass[i];
}

void NAME(isotropic19_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed)
{
    const struct rows *rows = &f->rows;
    const REAL *keep = saved, *weights = rows->wall_weight;
    for (size_t row = row0; row < row1 && rows->wall_max > 0; row++) {
        REAL *u = (REAL *)f->next + row * rows->stride;
        const uint64_t first = rows->wall_start[row];
        const size_t count = (size_t)(rows->wall_start[row + 1] - first);
        const uint32_t *x = rows->wall_x + first;
        double taken[SUMS] = {0.0};
        if (count == 0)
            continue;
        if (count > LANES && adjoining(x, count))
            absorb_row(u + x[0], keep, weights + first, rows->wall_mass + first, count, taken);
        else
            for (size_t i = 0; i < count; i++)
                taken[0] += absorb(u + x[i], keep[i], weights[first + i]) * (double)rows->wall_mass[first + i];
        keep += count;
        absorbed[row] +=
            0.5 / MASS_UNITS *
            (((taken[0] + taken[4]) + (taken[1] + taken[5])) + ((taken[2] + taken[6]) + (taken[3] + taken[7])));
    }
}
