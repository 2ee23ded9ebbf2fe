/* SPDX-License-Identifier: MIT */
/* Time-skewed unrolling of the leapfrog scheme: up to UNROLL_MAX steps in one sweep over a row,
 * with step k in the plane k below that of step 0. Two values stay in registers from step to step:
 * p⁺ of a step is the neighbour above of the next step, and the neighbour below of a step is p⁻ of
 * the next, which overwrites it. This halves the number of cache lines that single steps load from
 * the second-level cache.
 *
 * Compiled as leapfrog_rows.c, with sums in the same order: the same bits. */
#include "solver/cpu/kernels.h"
#include "solver/cpu/vectors.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

void NAME(leapfrog_unrolled)(const struct field *f, const struct row_shape *shape, size_t row0, size_t row1,
                             size_t steps, double *absorbed);

/* One of the unrolled steps: its rows, and the current vector with the vectors before and after
 * it. */
struct level {
    REAL *u;
    const REAL *p, *y_min, *y_max;
    vector before, here, after;
};

/* Registers passed from one step to the next. */
struct carried {
    vector z_max; /* p in the plane above: p⁺ of the previous step */
    vector old;   /* p⁻: the previous step's neighbour below */
};

/* The first or last vector of a row: lanes to write, lanes without a left or right link, and the
 * lane of the first or last point of the row. */
struct row_end {
    mask write, no_left, no_right;
    size_t lane;
};

struct constants {
    REAL centre, side;
};

static inline struct level open_level(REAL *u, const REAL *p, size_t stride, size_t i)
{
    return (struct level){u, p, p - stride, p + stride, load(p + i - LANES), load(p + i), load(p + i + LANES)};
}

static inline void advance_level(struct level *s, size_t i)
{
    s->before = s->here;
    s->here = s->after;
    s->after = load(s->p + i + LANES);
}

static inline struct carried step_level(const struct level *s, size_t i, struct carried c, const REAL *below,
                                        struct constants k)
{
    const vector z_min = load(below + i);
    const vector sum = ((left_neighbours(s->before, s->here) + right_neighbours(s->here, s->after)) +
                        (load(s->y_min + i) + load(s->y_max + i))) +
                       (z_min + c.z_max);
    const vector made = (k.centre * s->here + k.side * sum) - c.old;
    *(vector *)(s->u + i) = made;
    return (struct carried){made, z_min};
}

/* Walls of real admittance at one end of a row, then at the other. */
struct wall_end {
    REAL weight;  /* of the current end */
    double taken; /* twice the absorbed energy of both ends */
};

/* absorb of leapfrog_rows.c at the single lane without a link, kept in a register for the next
 * step. */
static inline vector absorb(vector rigid, vector old, const struct row_end *e, struct wall_end *w)
{
    const mask where = e->no_left | e->no_right;
    const vector after = rigid + w->weight * (old - rigid);
    const size_t l = e->lane;
    w->taken += ((double)rigid[l] - (double)after[l]) * ((double)after[l] - (double)old[l]);
    return (vector)((where & (mask)after) | (~where & (mask)rigid));
}

/* step_level in the first or last vector of a row: apply_end and write_end of leapfrog_rows.c. */
ALWAYS_INLINE struct carried step_level_end(const struct level *s, size_t i, struct carried c, const REAL *below,
                                            struct constants k, const struct row_end *e, struct wall_end *w)
{
    const vector z_min = load(below + i);
    const vector left = (vector)((mask)left_neighbours(s->before, s->here) & ~e->no_left);
    const vector right = (vector)((mask)right_neighbours(s->here, s->after) & ~e->no_right);
    const vector more = (vector)((mask)((vector){0} + k.side) & (e->no_left | e->no_right));
    const vector sum = ((left + right) + (load(s->y_min + i) + load(s->y_max + i))) + (z_min + c.z_max);
    const vector rigid = ((k.centre + more) * s->here + k.side * sum) - c.old;
    const vector made = w ? absorb(rigid, c.old, e, w) : rigid;
    const vector written = (vector)((e->write & (mask)made) | (~e->write & (mask)c.old));
    *(vector *)(s->u + i) = written;
    return (struct carried){written, z_min};
}

/* The rows of up to UNROLL_MAX steps, plus the plane above the first and the plane below the
 * last. `count` is constant in every use. */
struct levels {
    const REAL *above, *below;
    struct level a, b, c;
};

ALWAYS_INLINE struct levels open_levels(REAL *now, REAL *next, size_t stride, size_t plane, size_t i, int count)
{
    struct levels f = {.above = now + plane, .below = (count % 2 ? now : next) - (size_t)count * plane};
    f.a = f.b = f.c = open_level(next, now, stride, i);
    if (count > 1)
        f.b = open_level(now - plane, next - plane, stride, i);
    if (count > 2)
        f.c = open_level(next - 2 * plane, now - 2 * plane, stride, i);
    return f;
}

ALWAYS_INLINE void advance_levels(struct levels *f, size_t i, int count)
{
    advance_level(&f->a, i);
    if (count > 1)
        advance_level(&f->b, i);
    if (count > 2)
        advance_level(&f->c, i);
}

ALWAYS_INLINE void step_levels(const struct levels *f, size_t i, struct constants k, int count)
{
    struct carried c = {load(f->above + i), load(f->a.u + i)};
    c = step_level(&f->a, i, c, count > 1 ? f->b.u : f->below, k);
    if (count > 1)
        c = step_level(&f->b, i, c, count > 2 ? f->c.u : f->below, k);
    if (count > 2)
        step_level(&f->c, i, c, f->below, k);
}

/* w: walls of all steps at this end; NULL if rigid. */
ALWAYS_INLINE void step_levels_end(const struct levels *f, size_t i, struct constants k, int count,
                                   const struct row_end *e, struct wall_end *w)
{
    struct carried c = {load(f->above + i), load(f->a.u + i)};
    c = step_level_end(&f->a, i, c, count > 1 ? f->b.u : f->below, k, e, w);
    if (count > 1)
        c = step_level_end(&f->b, i, c, count > 2 ? f->c.u : f->below, k, e, w ? w + 1 : NULL);
    if (count > 2)
        step_level_end(&f->c, i, c, f->below, k, e, w ? w + 2 : NULL);
}

/* Vectors of a row of one shape: the first and the last, possibly the same one, and the lanes
 * they write. */
struct row_vectors {
    size_t first, last;
    struct row_end left, right;
};

static inline struct row_vectors vectors_of(const struct row_shape *shape)
{
    const size_t first = shape->start & ~(size_t)(LANES - 1), last = (shape->end - 1) & ~(size_t)(LANES - 1);
    const bool one = first == last;
    const mask none = {0}, no_left = lane_if(shape->closed_left, shape->start - first);
    const mask no_right = lane_if(shape->closed_right, shape->end - 1 - last);
    const mask from = lanes_from(shape->start - first), to = ~lanes_from(shape->end - last);
    const struct row_end left = {one ? (mask)(from & to) : from, no_left, one ? no_right : none, shape->start - first};
    return (struct row_vectors){first, last, left, {to, none, no_right, shape->end - 1 - last}};
}

/* Loads the weights of the walls at the left or (second) right ends of the rows of all steps. */
ALWAYS_INLINE void weigh_walls(struct wall_end *w, const struct rows *rows, size_t row, bool second, int count)
{
    const REAL *weights = rows->wall_weight;
    for (int k = 0; k < count; k++)
        w[k].weight = weights[rows->wall_start[row - (size_t)k * rows->ny] + second];
}

ALWAYS_INLINE void add_taken(const struct wall_end *w, size_t ny, size_t row, int count, double *absorbed)
{
    for (int k = 0; k < count; k++)
        absorbed[row - (size_t)k * ny] += 0.5 * w[k].taken;
}

/* absorbed: NULL if no end absorbs, which compiles a version without walls. */
ALWAYS_INLINE void step_rows(const struct field *f, const struct row_shape *shape, size_t row0, size_t row1, int count,
                             double *absorbed)
{
    const size_t stride = f->rows.stride, plane = stride * f->rows.ny;
    const struct row_vectors v = vectors_of(shape);
    const REAL side = (REAL)leapfrog_of(f->problem)->courant_squared;
    const struct constants k = {(REAL)2 - (REAL)6 * side, side};
    const bool absorbs_left = absorbed && shape->absorbs_left, absorbs_right = absorbed && shape->absorbs_right;
    for (size_t row = row0; row < row1; row++) {
        struct wall_end walls[UNROLL_MAX] = {{0}};
        prefetch_some(f->prefetch);
        struct levels levels =
            open_levels((REAL *)f->now + row * stride, (REAL *)f->next + row * stride, stride, plane, v.first, count);
        if (absorbs_left)
            weigh_walls(walls, &f->rows, row, false, count);
        step_levels_end(&levels, v.first, k, count, &v.left, absorbs_left ? walls : NULL);
        if (v.first == v.last)
            continue;
        for (size_t i = v.first + LANES; i < v.last; i += LANES) {
            advance_levels(&levels, i, count);
            step_levels(&levels, i, k, count);
        }
        advance_levels(&levels, v.last, count);
        if (absorbs_right)
            weigh_walls(walls, &f->rows, row, absorbs_left, count);
        step_levels_end(&levels, v.last, k, count, &v.right, absorbs_right ? walls : NULL);
        if (absorbed)
            add_taken(walls, f->rows.ny, row, count, absorbed);
    }
}

ALWAYS_INLINE void step_unrolled(const struct field *f, const struct row_shape *shape, size_t row0, size_t row1,
                                 size_t steps, double *absorbed)
{
    if (steps == 3)
        step_rows(f, shape, row0, row1, 3, absorbed);
    else if (steps == 2)
        step_rows(f, shape, row0, row1, 2, absorbed);
    else
        step_rows(f, shape, row0, row1, 1, absorbed);
}

void NAME(leapfrog_unrolled)(const struct field *f, const struct row_shape *shape, size_t row0, size_t row1,
                             size_t steps, double *absorbed)
{
    if (shape->absorbs_left || shape->absorbs_right)
        step_unrolled(f, shape, row0, row1, steps, absorbed);
    else
        step_unrolled(f, shape, row0, row1, steps, NULL);
}
