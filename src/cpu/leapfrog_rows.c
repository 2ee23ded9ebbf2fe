/* The leapfrog scheme over runs of rows: the fast kernel of the CPU engine.
 *
 * One source text for both precisions and every instruction set: the build compiles it with REAL and VARIANT set
 * (CMakeLists.txt), and kernels.c picks at run time. No contraction into fused multiply-adds: every variant then gives
 * the same bits.  */
#include <stdint.h>
#include <string.h>

#include "cpu/kernel.h"

#define JOIN(a, b) a##_##b
#define EXPAND(a, b) JOIN(a, b)
#define NAME(function) EXPAND(function, VARIANT)

/* Numbers of lanes out of two vectors in a row, by the number of lanes of one. */
#define LEFT_2 PICK(1, 2)
#define LEFT_4 PICK(3, 4, 5, 6)
#define LEFT_8 PICK(7, 8, 9, 10, 11, 12, 13, 14)
#define LEFT_16 PICK(15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
#define RIGHT_2 PICK(1, 2)
#define RIGHT_4 PICK(1, 2, 3, 4)
#define RIGHT_8 PICK(1, 2, 3, 4, 5, 6, 7, 8)
#define RIGHT_16 PICK(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)

void NAME(leapfrog_sweep)(const struct field *f, size_t row0, size_t row1, void *saved);
void NAME(leapfrog_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed);

/* The neighbours of a run, a missing one standing at zeros. */
struct around {
    const REAL *x_min, *x_max, *y_min, *y_max, *z_min, *z_max;
};

/* PHYSICS (1): p⁺ = (2 - λ²K) p + λ² S - p⁻, written over p⁻. */
static inline void update(REAL *restrict u, const REAL *p, struct around a, size_t first, size_t end, REAL centre,
                          REAL courant_squared)
{
    for (size_t i = first; i < end; i++)
        u[i] = (centre * p[i] + courant_squared * (((a.x_min[i] + a.x_max[i]) + (a.y_min[i] + a.y_max[i])) +
                                                   (a.z_min[i] + a.z_max[i]))) -
               u[i];
}

typedef REAL vector __attribute__((vector_size(LANES * sizeof(REAL)), may_alias));

typedef MASK_INTEGER mask __attribute__((vector_size(LANES * sizeof(REAL)), may_alias));
typedef mask unaligned_mask __attribute__((aligned(sizeof(REAL))));

static inline vector load(const REAL *from)
{
    return *(const vector *)from;
}

/* The lanes from number k on, 0 <= k <= LANES. */
static inline mask lanes_from(size_t k)
{
    static const MASK_INTEGER edge[32] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
                                          -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    return *(const unaligned_mask *)(edge + 16 - k);
}

/* One lane to the right and to the left, filled up from the vector before and after. */
static inline vector left_neighbours(vector before, vector here)
{
#define PICK(...) __builtin_shufflevector(before, here, __VA_ARGS__)
    return EXPAND(LEFT, LANES);
#undef PICK
}

static inline vector right_neighbours(vector here, vector after)
{
#define PICK(...) __builtin_shufflevector(here, after, __VA_ARGS__)
    return EXPAND(RIGHT, LANES);
#undef PICK
}

/* Where a run stands and what it multiplies by. Both neighbours along x come out of the vectors at hand: loading them
 * instead would cross a cache line every time, and takes twice as long in the first-level cache. */
struct run_of_vectors {
    REAL *u;
    const REAL *p;
    struct around a;
    REAL centre, courant_squared;
};

/* Lane k alone, or none. */
static inline mask lane_if(bool wanted, size_t k)
{
    const mask none = {0};
    return wanted ? (mask)(lanes_from(k) & ~lanes_from(k + 1)) : none;
}

/* The vector that a run begins or ends in: only the lanes in `where` are written, and those in `no_left` and `no_right`
 * have no link on that side, so that their centre is a λ² more: exactly, by the choice of λ². */
static inline void update_end(const struct run_of_vectors *r, size_t i, vector before, vector here, vector after,
                              mask where, mask no_left, mask no_right)
{
    const vector left = (vector)((mask)left_neighbours(before, here) & ~no_left);
    const vector right = (vector)((mask)right_neighbours(here, after) & ~no_right);
    const vector more = (vector)((mask)((vector){0} + r->courant_squared) & (no_left | no_right));
    const vector sum = ((left + right) + (load(r->a.y_min + i) + load(r->a.y_max + i))) +
                       (load(r->a.z_min + i) + load(r->a.z_max + i));
    const vector value = ((r->centre + more) * here + r->courant_squared * sum) - load(r->u + i);
    *(mask *)(r->u + i) = (where & (mask)value) | (~where & *(const mask *)(r->u + i));
}

/* A run by whole vectors, start < end. Its points have links on both sides of x but, when it is closed there, the first
 * one to the left and the last one to the right. */
static inline void update_vectors(const struct run_of_vectors *r, size_t start, size_t end, bool closed_left,
                                  bool closed_right)
{
    const size_t first = start & ~(size_t)(LANES - 1), last = (end - 1) & ~(size_t)(LANES - 1);
    const mask from = lanes_from(start - first), to = ~lanes_from(end - last);
    const mask no_left = lane_if(closed_left, start - first), no_right = lane_if(closed_right, end - 1 - last);
    vector before = load(r->p + first - LANES), here = load(r->p + first), after = load(r->p + first + LANES);
    if (first == last) {
        update_end(r, first, before, here, after, from & to, no_left, no_right);
        return;
    }
    update_end(r, first, before, here, after, from, no_left, (mask){0});
    for (size_t i = first + LANES; i < last; i += LANES) {
        before = here;
        here = after;
        after = load(r->p + i + LANES);
        const vector sum = ((left_neighbours(before, here) + right_neighbours(here, after)) +
                            (load(r->a.y_min + i) + load(r->a.y_max + i))) +
                           (load(r->a.z_min + i) + load(r->a.z_max + i));
        *(vector *)(r->u + i) = (r->centre * here + r->courant_squared * sum) - load(r->u + i);
    }
    update_end(r, last, here, after, load(r->p + last + LANES), to, (mask){0}, no_right);
}

/* Points side by side, as in a row along a wall. */
static inline bool adjoining(const uint32_t *x, size_t count)
{
    return x[count - 1] - x[0] == count - 1;
}

static inline size_t save_walls(REAL *keep, const REAL *u, const uint32_t *x, size_t count)
{
    if (count > LANES && adjoining(x, count))
        memcpy(keep, u + x[0], count * sizeof *keep);
    else
        for (size_t i = 0; i < count; i++)
            keep[i] = u[x[i]];
    return count;
}

enum { LINK_X_MIN = 1, LINK_X_MAX = 2, LINKS_X = LINK_X_MIN | LINK_X_MAX };

/* A row between two walls has runs of one point at its ends; this takes them into the run between them. Returns how
 * many runs were taken into `run`. */
static inline size_t join_ends(struct run *run, const struct run *runs, size_t count, bool *closed_left,
                               bool *closed_right)
{
    size_t taken = 1;
    *run = runs[0];
    *closed_left = *closed_right = false;
    if ((run->links & LINKS_X) == LINK_X_MAX && count > 1 && runs[1].start == run->start + 1 &&
        runs[1].links == (run->links | LINK_X_MIN)) {
        *closed_left = true;
        run->links = runs[1].links;
        run->length = (runs[1].length + 1) & ROW_POINTS_MOST;
        taken++;
    }
    if ((run->links & LINKS_X) == LINKS_X && count > taken && runs[taken].start == run->start + run->length &&
        runs[taken].links == (run->links & ~(unsigned)LINK_X_MAX)) {
        *closed_right = true;
        run->length = (run->length + 1) & ROW_POINTS_MOST;
        taken++;
    }
    return taken;
}

void NAME(leapfrog_sweep)(const struct field *f, size_t row0, size_t row1, void *saved)
{
    const struct rows *rows = &f->rows;
    const size_t stride = rows->stride, plane = stride * rows->ny;
    const REAL courant_squared = (REAL)f->problem->as.leapfrog.courant_squared;
    const REAL *zeros = f->zeros;
    REAL centre[7], *keep = saved;
    for (int k = 0; k <= 6; k++)
        centre[k] = (REAL)2 - (REAL)k * courant_squared;

    for (size_t row = row0; row < row1; row++) {
        REAL *u = (REAL *)f->next + row * stride;
        const REAL *p = (const REAL *)f->now + row * stride;
        keep += save_walls(keep, u, rows->wall_x + rows->wall_start[row],
                           (size_t)(rows->wall_start[row + 1] - rows->wall_start[row]));
        for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1];) {
            struct run run;
            bool closed_left, closed_right;
            r += join_ends(&run, rows->runs + r, (size_t)(rows->run_start[row + 1] - r), &closed_left, &closed_right);
            const unsigned links = run.links;
            const REAL c = centre[__builtin_popcount(links)];
            const size_t start = run.start, end = start + run.length;
            const struct around a = {
                .x_min = links & LINK_X_MIN ? p - 1 : zeros,
                .x_max = links & LINK_X_MAX ? p + 1 : zeros,
                .y_min = links & 4u ? p - stride : zeros,
                .y_max = links & 8u ? p + stride : zeros,
                .z_min = links & 16u ? p - plane : zeros,
                .z_max = links & 32u ? p + plane : zeros,
            };
            if ((links & LINKS_X) == LINKS_X)
                update_vectors(&(struct run_of_vectors){u, p, a, c, courant_squared}, start, end, closed_left,
                               closed_right);
            else /* a run of one point */
                update(u, p, a, start, end, c, courant_squared);
        }
    }
}

/* PHYSICS (3) as p⁺ = q + a/(1+a) (p⁻ - q), which does not drift. The wall takes a (p⁺ - p⁻)²/2 of energy in a step,
 * and since a (p⁺ - p⁻) = q - p⁺ that is half the product of the two changes, which is returned: no division. */
static inline double absorb(REAL *u, REAL before, REAL weight)
{
    const REAL rigid = *u, after = rigid + weight * (before - rigid);
    *u = after;
    return ((double)rigid - (double)after) * ((double)after - (double)before);
}

enum { SUMS = 8 }; /* side by side, so that they vectorise in the same order everywhere */

/* Points side by side; `taken` is added to. */
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
