/* The 19-point scheme over runs of rows: the fast kernel of the CPU engine.
 *
 * Rows of up to PLANES_MAX planes, one above another, are stepped together, row after row along y. Each plane gives
 *   r = p(x-1) + p(x+1)    a = r + (p(y-1) + p(y+1))    v = 2 p + a    d = r(y-1) + r(y+1)
 * and the step is h ((v(z-1) + v(z+1)) + (2 a + d)) + C p - p⁻. So v is computed once for the planes above and below it,
 * and lines of p are loaded once for three planes. Sums r of a row serve for the rows before and after it, too: those of
 * the last two rows are kept in a buffer in the first-level cache. Neighbours across a wall are mirrored: rows by their
 * pointers, lanes at the ends of a row by masks.
 *
 * Compiled as leapfrog_rows.c; sums in the order of scheme19_reference.c. */
#include <stdint.h>
#include <string.h>

#include "cpu/corner_runs.h"
#include "cpu/kernel.h"
#include "cpu/row_walls.h"
#include "cpu/variant.h"
#include "cpu/vectors.h"
#include "schemes/scheme19/scheme19.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

void NAME(scheme19_sweep)(const struct field *f, size_t row0, size_t row1, void *saved);
void NAME(scheme19_sweep_planes)(const struct field *f, size_t row0, size_t row1, size_t planes, void *saved);

/* Rows of one shape, `count` along y in `planes` planes, whose first and last lack a neighbour where a side is missing:
 * across it the other one is read. */
struct group {
    size_t row, count; /* the first row, of the lowest plane */
    struct corner_run run;
    bool y_lower, y_upper, z_lower, z_upper;
};

/* The lanes of the first or last vector of a row that are written, and those without a left and a right side. */
struct row_end {
    mask write, no_left, no_right;
};

/* Vectors of a row: the first and the last, possibly the same. */
struct row_vectors {
    size_t first, last;
    struct row_end left, right;
};

static inline struct row_vectors vectors_of(const struct corner_run *run)
{
    const size_t first = run->start & ~(size_t)(LANES - 1), last = (run->end - 1) & ~(size_t)(LANES - 1);
    const bool one = first == last;
    const mask none = {0}, no_left = lane_if(run->closed_left, run->start - first);
    const mask no_right = lane_if(run->closed_right, run->end - 1 - last);
    const mask from = lanes_from(run->start - first), to = ~lanes_from(run->end - last);
    return (struct row_vectors){
        first, last, {one ? (mask)(from & to) : from, no_left, one ? no_right : none}, {to, none, no_right}};
}

/* A row of p: the current vector and those before and after it. */
struct window {
    const REAL *p;
    vector before, here, after;
};

static inline struct window open_window(const REAL *p, size_t i)
{
    return (struct window){p, load(p + i - LANES), load(p + i), load(p + i + LANES)};
}

static inline void move_window(struct window *w, size_t i)
{
    w->before = w->here;
    w->here = w->after;
    w->after = load(w->p + i + LANES);
}

static inline vector choose(mask where, vector a, vector b)
{
    return (vector)((where & (mask)a) | (~where & (mask)b));
}

/* r; e: NULL inside the row. */
ALWAYS_INLINE vector sum_x(const struct window *w, const struct row_end *e)
{
    const vector left = left_neighbours(w->before, w->here), right = right_neighbours(w->here, w->after);
    return e ? choose(e->no_left, right, left) + choose(e->no_right, left, right) : left + right;
}

/* Columns of sums r that are kept: all vectors of a row, or of a part of it that fits in the first-level cache. */
enum { PANEL = 16, SLOTS = 2 };

/* Rows y of the planes as they are stepped. */
struct stack {
    const REAL *p;                 /* in the lowest plane */
    REAL *u;                       /* p⁻, becomes p⁺ */
    ptrdiff_t up, down;            /* offsets to row y - 1 and y + 1, mirrored */
    ptrdiff_t below, above, plane; /* from the lowest plane to the one below it, from the highest to that above it */
    const char *ahead[2];          /* prefetched, a cache line with each column */
    REAL *older, *newer; /* sums [column][SLOTS][planes][LANES]: r of row y - 1, then of row y + 1; r of row y */
};

/* Windows over rows y + 1 of the planes and over rows y of the planes below and above them. */
struct windows {
    struct window next[PLANES_MAX], below, above;
};

ALWAYS_INLINE struct windows open_windows(const struct stack *s, size_t i, int planes)
{
    struct windows w;
#pragma GCC unroll 4
    for (int k = 0; k < planes; k++)
        w.next[k] = open_window(s->p + k * s->plane + s->down, i);
    w.below = open_window(s->p + s->below, i);
    w.above = open_window(s->p + (planes - 1) * s->plane + s->above, i);
    return w;
}

ALWAYS_INLINE void move_windows(struct windows *w, size_t i, int planes)
{
#pragma GCC unroll 4
    for (int k = 0; k < planes; k++)
        move_window(&w->next[k], i);
    move_window(&w->below, i);
    move_window(&w->above, i);
}

/* v of the plane below or above. */
ALWAYS_INLINE vector outer_sum(const struct stack *s, const struct window *w, size_t i, const struct row_end *e)
{
    return twice_plus(w->here, sum_x(w, e) + (load(w->p + s->up + i) + load(w->p + s->down + i)));
}

ALWAYS_INLINE void put_step(REAL *u, vector p, vector sum, const struct row_end *e)
{
    const REAL h = (REAL)(0.5 * SCHEME19_W), centre = (REAL)(2.0 - 12.0 * SCHEME19_W);
    const vector old = load(u), made = (h * sum + centre * p) - old;
    *(vector *)u = e ? choose(e->write, made, old) : made;
}

/* Steps the vectors at i of all planes; `column` is that of the sums. */
ALWAYS_INLINE void step_column(const struct stack *s, const struct windows *w, size_t i, size_t column, int planes,
                               const struct row_end *e)
{
    REAL *older = s->older + column * (size_t)(SLOTS * planes * LANES);
    const REAL *newer = s->newer + column * (size_t)(SLOTS * planes * LANES);
    vector lower = outer_sum(s, &w->below, i, e), p = {0}, inner = {0}, v = {0}; /* v(z-1), and of the plane z */
#pragma GCC unroll 4
    for (int k = 0; k < planes; k++) {
        const struct window *next = &w->next[k];
        const vector here = load(s->p + k * s->plane + i), r = sum_x(next, e);
        const vector a = load(newer + k * LANES) + (load(s->p + k * s->plane + s->up + i) + next->here);
        const vector upper = twice_plus(here, a), d = load(older + k * LANES) + r;
        *(vector *)(older + k * LANES) = r;
        if (k > 0) {
            put_step(s->u + (k - 1) * s->plane + i, p, (lower + upper) + inner, e);
            lower = v;
        }
        p = here;
        v = upper;
        inner = twice_plus(a, d);
    }
    put_step(s->u + (planes - 1) * s->plane + i, p, (lower + outer_sum(s, &w->above, i, e)) + inner, e);
}

/* Steps the first or the last vectors of the rows. */
ALWAYS_INLINE void step_end(const struct stack *s, size_t i, size_t column, int planes, const struct row_end *e)
{
    const struct windows w = open_windows(s, i, planes);
    step_column(s, &w, i, column, planes, e);
}

/* Steps the vectors at from .. to. */
ALWAYS_INLINE void step_part(const struct stack *s, const struct row_vectors *v, size_t from, size_t to, int planes)
{
    const size_t begin = from == v->first ? from + LANES : from, end = to == v->last ? to : to + LANES;
    if (from == v->first)
        step_end(s, from, 0, planes, &v->left);
    if (begin < end) {
        struct windows w = open_windows(s, begin, planes);
        size_t column = (begin - from) / LANES;
        for (size_t i = begin;;) {
            for (int k = 0; k < 2; k++)
                __builtin_prefetch(s->ahead[k] + column * ROW_ALIGNMENT, 0, 2); /* into the second-level cache */
            step_column(s, &w, i, column++, planes, NULL);
            i += LANES;
            if (i == end)
                break;
            move_windows(&w, i, planes);
        }
    }
    if (to == v->last && to != v->first)
        step_end(s, to, (to - from) / LANES, planes, &v->right);
}

static inline const struct row_end *end_at(const struct row_vectors *v, size_t i)
{
    return i == v->first ? &v->left : i == v->last ? &v->right : NULL;
}

/* Sums r of the vectors at from .. to of a row in all planes. */
ALWAYS_INLINE void keep_sums(REAL *sums, const REAL *p, ptrdiff_t plane, const struct row_vectors *v, size_t from,
                             size_t to, int planes)
{
    for (size_t i = from; i <= to; i += LANES, sums += SLOTS * planes * LANES)
        for (int k = 0; k < planes; k++) {
            const struct window w = open_window(p + k * plane, i);
            const struct row_end *e = end_at(v, i);
            *(vector *)(sums + k * LANES) = e ? sum_x(&w, e) : sum_x(&w, NULL);
        }
}

ALWAYS_INLINE void step_group(const struct field *f, const struct group *g, int planes)
{
    _Alignas(ROW_ALIGNMENT) REAL sums[PANEL * SLOTS * PLANES_MAX * LANES];
    const struct row_vectors v = vectors_of(&g->run);
    const ptrdiff_t stride = (ptrdiff_t)f->rows.stride, plane = stride * (ptrdiff_t)f->rows.ny;
    for (size_t from = v.first; from <= v.last; from += PANEL * LANES) {
        const size_t end = from + (PANEL - 1) * LANES, to = end < v.last ? end : v.last;
        struct stack s = {.p = (const REAL *)f->now + g->row * f->rows.stride,
                          .u = (REAL *)f->next + g->row * f->rows.stride,
                          .up = g->y_lower ? -stride : stride,
                          .down = stride,
                          .below = g->z_lower ? -plane : plane,
                          .above = g->z_upper ? plane : -plane,
                          .plane = plane,
                          .older = sums,
                          .newer = sums + planes * LANES};
        keep_sums(s.older, s.p + s.up, plane, &v, from, to, planes);
        keep_sums(s.newer, s.p, plane, &v, from, to, planes);
        for (size_t j = 0; j < g->count; j++) {
            if (j + 1 == g->count && !g->y_upper)
                s.down = -stride;
            if (!prefetch_take(f->prefetch, s.ahead, (to - from) / LANES + 1))
                s.ahead[0] = s.ahead[1] = (const char *)sums;
            step_part(&s, &v, from, to, planes);
            REAL *newest = s.older;
            s.older = s.newer;
            s.newer = newest;
            s.p += stride;
            s.u += stride;
            s.up = -stride;
        }
    }
}

static __attribute__((noinline)) void step_4(const struct field *f, const struct group *g)
{
    step_group(f, g, 4);
}

static __attribute__((noinline)) void step_2(const struct field *f, const struct group *g)
{
    step_group(f, g, 2);
}

static __attribute__((noinline)) void step_1(const struct field *f, const struct group *g)
{
    step_group(f, g, 1);
}

/* Points whose air voxels are not all those on some sides: p + ((p - p⁻) + g Σ n (p_j - p)), neighbours in canonical
 * order. */
static void step_assembled(const struct field *f, size_t row, const struct corner_run *run)
{
    const ptrdiff_t stride = (ptrdiff_t)f->rows.stride, plane = stride * (ptrdiff_t)f->rows.ny;
    const REAL *p = (const REAL *)f->now + row * f->rows.stride;
    REAL *u = (REAL *)f->next + row * f->rows.stride;
    const REAL g = (REAL)(2.0 * SCHEME19_W / __builtin_popcount(run->pattern));
    struct {
        ptrdiff_t offset;
        REAL links;
    } neighbours[18];
    int count = 0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int axes = (dx != 0) + (dy != 0) + (dz != 0);
                const unsigned links = axes == 1 || axes == 2 ? corner_links(run->pattern, dx, dy, dz) : 0;
                if (links) {
                    neighbours[count].offset = dx + dy * stride + dz * plane;
                    neighbours[count++].links = (REAL)links;
                }
            }
    for (size_t i = run->start; i < run->end; i++) {
        REAL sum = 0;
        for (int j = 0; j < count; j++)
            sum += neighbours[j].links * (p[(ptrdiff_t)i + neighbours[j].offset] - p[i]);
        u[i] = p[i] + ((p[i] - u[i]) + g * sum);
    }
}

/* A row that is not stepped with others. */
static void step_runs(const struct field *f, size_t row)
{
    const struct rows *rows = &f->rows;
    for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1];) {
        struct group g = {.row = row, .count = 1};
        r += corner_run_merge(&g.run, rows->runs + r, (size_t)(rows->run_start[row + 1] - r));
        g.y_lower = g.run.sides[0] & SIDE_LOWER;
        g.y_upper = g.run.sides[0] & SIDE_UPPER;
        g.z_lower = g.run.sides[1] & SIDE_LOWER;
        g.z_upper = g.run.sides[1] & SIDE_UPPER;
        if (g.run.mirrors)
            step_1(f, &g);
        else
            step_assembled(f, row, &g.run);
    }
}

/* Whether all planes have the row's shape along x and z, and one shape along y. */
static bool same_shapes(const uint64_t *shapes, const uint64_t *next, size_t ny, size_t planes)
{
    const uint64_t along_y = (uint64_t)SIDES_BOTH << SHAPE_Y_AT;
    for (size_t k = 0; k < planes * ny; k += ny)
        if (((shapes[k] ^ next[k]) & ~along_y) || ((next[0] ^ next[k]) & along_y))
            return false;
    return true;
}

/* Finds the rows from `row` on, below row1, that are of one shape in all planes and joined by air along y, and whose
 * planes are joined by air along z. False: not even one. */
static bool find_group(const struct field *f, size_t row, size_t row1, size_t planes, struct group *g)
{
    const uint64_t along_z = (uint64_t)SIDES_BOTH << SHAPE_Z_AT;
    const uint64_t lower_y = (uint64_t)SIDE_LOWER << SHAPE_Y_AT, upper_y = (uint64_t)SIDE_UPPER << SHAPE_Y_AT;
    const uint64_t lower_z = (uint64_t)SIDE_LOWER << SHAPE_Z_AT, upper_z = (uint64_t)SIDE_UPPER << SHAPE_Z_AT;
    const uint64_t *shapes = f->shapes + row;
    const size_t ny = f->rows.ny, top = (planes - 1) * ny;
    if (!shapes[0])
        return false;
    for (size_t k = 1; k < planes; k++)
        if (((shapes[k * ny] ^ shapes[0]) & ~along_z) || !(shapes[k * ny] & lower_z) ||
            !(shapes[(k - 1) * ny] & upper_z))
            return false;
    size_t count = 1;
    while (row + count < row1 && (shapes[count - 1] & upper_y) && (shapes[count] & lower_y) &&
           same_shapes(shapes, shapes + count, ny, planes))
        count++;
    *g = (struct group){.row = row,
                        .count = count,
                        .run = corner_shape_unpack(shapes[0]),
                        .y_lower = shapes[0] & lower_y,
                        .y_upper = shapes[count - 1] & upper_y,
                        .z_lower = shapes[0] & lower_z,
                        .z_upper = shapes[top] & upper_z};
    return true;
}

static void sweep_rows(const struct field *f, size_t row0, size_t row1, size_t planes)
{
    void (*const step[])(const struct field *, const struct group *) = {[1] = step_1, [2] = step_2, [4] = step_4};
    for (size_t row = row0; row < row1;) {
        struct group g;
        if (find_group(f, row, row1, planes, &g)) {
            step[planes](f, &g);
            row += g.count;
        } else {
            for (size_t k = 0; k < planes; k++)
                step_runs(f, row + k * f->rows.ny);
            row++;
        }
    }
}

void NAME(scheme19_sweep_planes)(const struct field *f, size_t row0, size_t row1, size_t planes, void *saved)
{
    const struct rows *rows = &f->rows;
    for (size_t k = 0; k < planes; k++) {
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

void NAME(scheme19_sweep)(const struct field *f, size_t row0, size_t row1, void *saved)
{
    NAME(scheme19_sweep_planes)(f, row0, row1, 1, saved);
}
