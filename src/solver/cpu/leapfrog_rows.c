/* SPDX-License-Identifier: MIT */
/* The leapfrog scheme over runs of rows: the fast kernel of the CPU engine.
 *
 * The build compiles this file with REAL and VARIANT set for both precisions and every instruction
 * set (CMakeLists.txt); kernels.c selects at run time. Contraction into fused multiply-adds is
 * disabled, so that all variants give the same bits. */
#include <stdint.h>
#include <string.h>

#include "solver/cpu/kernels.h"
#include "solver/cpu/row_walls.h"
#include "solver/cpu/variant.h"
#include "solver/cpu/vectors.h"

void NAME(leapfrog_sweep)(const struct field *f, size_t row0, size_t row1, void *saved);
void NAME(leapfrog_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed);

/* The neighbours of a run; missing ones point to zeros. */
struct around {
    const REAL *x_min, *x_max, *y_min, *y_max, *z_min, *z_max;
};

/* centre u + side S over the points of a run: the contribution of one time level to (1) and (2). */
struct stencil {
    const REAL *p;
    struct around a;
    REAL centre, side;
};

static inline REAL apply_at(const struct stencil *s, size_t i)
{
    return s->centre * s->p[i] + s->side * (((s->a.x_min[i] + s->a.x_max[i]) + (s->a.y_min[i] + s->a.y_max[i])) +
                                            (s->a.z_min[i] + s->a.z_max[i]));
}

/* A time level of a run: the current vector, and the vectors before and after it. Both
 * neighbours along x are shuffled from these, as unaligned loads would always cross a cache line
 * and take twice as long from the first-level cache. */
struct window {
    const struct stencil *s;
    vector before, here, after;
};

static inline struct window open_window(const struct stencil *s, size_t i)
{
    return (struct window){s, load(s->p + i - LANES), load(s->p + i), load(s->p + i + LANES)};
}

static inline void move_window(struct window *w, size_t i)
{
    w->before = w->here;
    w->here = w->after;
    w->after = load(w->s->p + i + LANES);
}

static inline vector apply(const struct window *w, size_t i)
{
    const struct around *a = &w->s->a;
    const vector sum = ((left_neighbours(w->before, w->here) + right_neighbours(w->here, w->after)) +
                        (load(a->y_min + i) + load(a->y_max + i))) +
                       (load(a->z_min + i) + load(a->z_max + i));
    return w->s->centre * w->here + w->s->side * sum;
}

/* The stencil for lanes in `no_left` and `no_right`, which lack the link on that side: their
 * centre is larger by one `side` per missing link, exactly, due to the choice of λ² and the
 * viscosity. */
static inline vector apply_end(const struct window *w, size_t i, mask no_left, mask no_right)
{
    const struct around *a = &w->s->a;
    const vector left = (vector)((mask)left_neighbours(w->before, w->here) & ~no_left);
    const vector right = (vector)((mask)right_neighbours(w->here, w->after) & ~no_right);
    const vector more = (vector)((mask)((vector){0} + w->s->side) & (no_left | no_right));
    const vector sum =
        ((left + right) + (load(a->y_min + i) + load(a->y_max + i))) + (load(a->z_min + i) + load(a->z_max + i));
    return (w->s->centre + more) * w->here + w->s->side * sum;
}

/* Stores the first or last vector of a run: writes only the lanes in `where`. */
static inline void write_end(REAL *u, vector value, mask where)
{
    *(mask *)u = (where & (mask)value) | (~where & *(const mask *)u);
}

/* Steps a run by whole vectors, start < end. Its points have both links along x, except that the
 * first lacks its left one and the last its right one if that end is closed. u contains p⁻; in
 * lossy air (`viscous`), p⁻ is read from the stencil `old`. */
static inline __attribute__((always_inline)) void update_vectors(REAL *u, const struct stencil *now,
                                                                 const struct stencil *old, size_t start, size_t end,
                                                                 bool closed_left, bool closed_right, bool viscous)
{
    const size_t first = start & ~(size_t)(LANES - 1), last = (end - 1) & ~(size_t)(LANES - 1);
    const mask from = lanes_from(start - first), to = ~lanes_from(end - last), none = {0};
    const mask no_left = lane_if(closed_left, start - first), no_right = lane_if(closed_right, end - 1 - last);
    const bool one = first == last;
    struct window p = open_window(now, first), q = viscous ? open_window(old, first) : p;
    const mask first_right = one ? no_right : none;
    vector old_part = load(u + first);
    if (viscous)
        old_part = apply_end(&q, first, no_left, first_right);
    write_end(u + first, apply_end(&p, first, no_left, first_right) - old_part, one ? (mask)(from & to) : from);
    if (one)
        return;
    for (size_t i = first + LANES; i < last; i += LANES) {
        move_window(&p, i);
        if (viscous) {
            move_window(&q, i);
            *(vector *)(u + i) = apply(&p, i) - apply(&q, i);
        } else {
            *(vector *)(u + i) = apply(&p, i) - load(u + i);
        }
    }
    move_window(&p, last);
    old_part = load(u + last);
    if (viscous) {
        move_window(&q, last);
        old_part = apply_end(&q, last, none, no_right);
    }
    write_end(u + last, apply_end(&p, last, none, no_right) - old_part, to);
}

enum { LINK_X_MIN = 1, LINK_X_MAX = 2, LINKS_X = LINK_X_MIN | LINK_X_MAX };

/* A row between two walls has runs of one point at its ends; merges these with the run between
 * them. Returns the number of runs merged into `run`. */
static inline size_t merge_ends(struct run *run, const struct run *runs, size_t count, bool *closed_left,
                                bool *closed_right)
{
    size_t taken = 1;
    *run = runs[0];
    *closed_left = *closed_right = false;
    if ((run->links & LINKS_X) == LINK_X_MAX && count > 1 && runs[1].start == run->start + 1 &&
        runs[1].links == (run->links | LINK_X_MIN)) {
        *closed_left = true;
        run->links = runs[1].links;
        run->length = (runs[1].length + 1) & ROW_POINTS_MAX;
        taken++;
    }
    if ((run->links & LINKS_X) == LINKS_X && count > taken && runs[taken].start == run->start + run->length &&
        runs[taken].links == (run->links & ~(unsigned)LINK_X_MAX)) {
        *closed_right = true;
        run->length = (run->length + 1) & ROW_POINTS_MAX;
        taken++;
    }
    return taken;
}

/* Coefficients of a sweep by number of links: theory (7), and (22) in lossy air. */
struct factors {
    REAL centre[7], side;         /* 2 - K (λ² + viscosity), λ² + viscosity */
    REAL old_centre[7], old_side; /* 1 - K viscosity, viscosity */
};

static struct factors make_factors(const struct leapfrog_problem *l)
{
    struct factors f = {.side = (REAL)(l->courant_squared + l->viscosity), .old_side = (REAL)l->viscosity};
    for (int k = 0; k <= 6; k++) {
        f.centre[k] = (REAL)2 - (REAL)k * f.side;
        f.old_centre[k] = (REAL)1 - (REAL)k * f.old_side;
    }
    return f;
}

static inline struct around find_around(const REAL *p, const REAL *zeros, size_t stride, size_t plane, unsigned links)
{
    return (struct around){
        .x_min = links & LINK_X_MIN ? p - 1 : zeros,
        .x_max = links & LINK_X_MAX ? p + 1 : zeros,
        .y_min = links & 4u ? p - stride : zeros,
        .y_max = links & 8u ? p + stride : zeros,
        .z_min = links & 16u ? p - plane : zeros,
        .z_max = links & 32u ? p + plane : zeros,
    };
}

static inline __attribute__((always_inline)) void sweep_rows(const struct field *f, size_t row0, size_t row1,
                                                             REAL *keep, bool viscous)
{
    const struct rows *rows = &f->rows;
    const size_t stride = rows->stride, plane = stride * rows->ny;
    const struct factors factors = make_factors(leapfrog_of(f->problem));
    const REAL *zeros = f->zeros;
    for (size_t row = row0; row < row1; row++) {
        REAL *u = (REAL *)f->next + row * stride;
        const REAL *p = (const REAL *)f->now + row * stride, *q = (const REAL *)f->before + row * stride;
        prefetch_some(f->prefetch);
        keep += save_walls(keep, q, rows->wall_x + rows->wall_start[row],
                           (size_t)(rows->wall_start[row + 1] - rows->wall_start[row]));
        for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1];) {
            struct run run;
            bool closed_left, closed_right;
            r += merge_ends(&run, rows->runs + r, (size_t)(rows->run_start[row + 1] - r), &closed_left, &closed_right);
            const unsigned links = run.links;
            const int k = __builtin_popcount(links);
            const size_t start = run.start, end = start + run.length;
            const struct stencil now = {p, find_around(p, zeros, stride, plane, links), factors.centre[k],
                                        factors.side};
            struct stencil old = now;
            if (viscous)
                old = (struct stencil){q, find_around(q, zeros, stride, plane, links), factors.old_centre[k],
                                       factors.old_side};
            if ((links & LINKS_X) == LINKS_X)
                update_vectors(u, &now, &old, start, end, closed_left, closed_right, viscous);
            else /* a run of one point */
                for (size_t i = start; i < end; i++)
                    u[i] = apply_at(&now, i) - (viscous ? apply_at(&old, i) : u[i]);
        }
    }
}

void NAME(leapfrog_sweep)(const struct field *f, size_t row0, size_t row1, void *saved)
{
    if (leapfrog_of(f->problem)->viscosity > 0.0)
        sweep_rows(f, row0, row1, saved, true);
    else
        sweep_rows(f, row0, row1, saved, false);
}

/* Absorption at consecutive points; adds the absorbed energy to `taken`. */
static inline void absorb_row(REAL *restrict u, const REAL *restrict before, const REAL *restrict weights, size_t count,
                              double *restrict taken)
{
    size_t i = 0;
    for (; i + SUMS <= count; i += SUMS) {
#pragma omp simd
        for (size_t k = 0; k < SUMS; k++)
            taken[k] += absorb(u + i + k, before[i + k], weights[i + k]);
    }
    for (; i < count; i++)
        taken[i % SUMS] += absorb(u + i, before[i], weights[i]);
}

void NAME(leapfrog_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed)
{
    const struct rows *rows = &f->rows;
    const REAL *keep = saved, *weights = rows->wall_weight;
    for (size_t row = row0; row < row1; row++) {
        REAL *u = (REAL *)f->next + row * rows->stride;
        const uint64_t first = rows->wall_start[row];
        const size_t count = (size_t)(rows->wall_start[row + 1] - first);
        const uint32_t *x = rows->wall_x + first;
        double taken[SUMS] = {0.0};
        if (count == 0)
            continue;
        if (count > LANES && adjoining(x, count))
            absorb_row(u + x[0], keep, weights + first, count, taken);
        else
            for (size_t i = 0; i < count; i++)
                taken[0] += absorb(u + x[i], keep[i], weights[first + i]);
        keep += count;
        absorbed[row] +=
            0.5 * (((taken[0] + taken[4]) + (taken[1] + taken[5])) + ((taken[2] + taken[6]) + (taken[3] + taken[7])));
    }
}
