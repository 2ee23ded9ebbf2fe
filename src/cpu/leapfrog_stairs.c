/* The leapfrog scheme down a flight of stairs: several steps of the same points of a row, each a plane below the one
 * before, in one go over the row. What a step makes is what the next one needs from the plane above, and what the next
 * one overwrites is what this one needs from the plane below: both stay in registers, and half the lines that single
 * steps take from the second-level cache.
 *
 * Compiled as leapfrog_rows.c, whose sums it makes in the same order. */
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "cpu/kernel.h"
#include "cpu/vectors.h"

void NAME(leapfrog_stairs)(const struct field *f, const struct row_shape *shape, size_t row0, size_t row1,
                           size_t steps);

/* left_neighbours and right_neighbours, where the compiler sees no single instruction in them. */
static inline vector lanes_before(vector before, vector here)
{
#if defined(__AVX512F__) && LANES == 16
    return (vector)_mm512_alignr_epi32((__m512i)here, (__m512i)before, 15);
#elif defined(__AVX512F__) && LANES == 8
    return (vector)_mm512_alignr_epi64((__m512i)here, (__m512i)before, 7);
#else
    return left_neighbours(before, here);
#endif
}

static inline vector lanes_after(vector here, vector after)
{
#if defined(__AVX512F__) && LANES == 16
    return (vector)_mm512_alignr_epi32((__m512i)after, (__m512i)here, 1);
#elif defined(__AVX512F__) && LANES == 8
    return (vector)_mm512_alignr_epi64((__m512i)after, (__m512i)here, 1);
#else
    return right_neighbours(here, after);
#endif
}

/* One step of the stairs: its rows, and the vector at hand with those beside it. */
struct stair {
    REAL *u;
    const REAL *p, *y_min, *y_max;
    vector before, here, after;
};

/* What goes from stair to stair. */
struct column {
    vector z_max; /* p above the stair: what the stair above has made */
    vector old;   /* p⁻ on the stair: the stair above had it from below */
};

/* The vectors that a row begins and ends in: lanes to write, lanes without a link to the left and to the right. */
struct row_end {
    mask write, no_left, no_right;
};

struct constants {
    REAL centre, side;
};

static inline struct stair open_stair(REAL *u, const REAL *p, size_t stride, size_t i)
{
    return (struct stair){u, p, p - stride, p + stride, load(p + i - LANES), load(p + i), load(p + i + LANES)};
}

static inline void move_stair(struct stair *s, size_t i)
{
    s->before = s->here;
    s->here = s->after;
    s->after = load(s->p + i + LANES);
}

static inline struct column descend(const struct stair *s, size_t i, struct column c, const REAL *below,
                                    struct constants k)
{
    const vector z_min = load(below + i);
    const vector sum = ((lanes_before(s->before, s->here) + lanes_after(s->here, s->after)) +
                        (load(s->y_min + i) + load(s->y_max + i))) +
                       (z_min + c.z_max);
    const vector made = (k.centre * s->here + k.side * sum) - c.old;
    *(vector *)(s->u + i) = made;
    return (struct column){made, z_min};
}

/* The same at an end: apply_end and write_end of leapfrog_rows.c. */
static inline struct column descend_end(const struct stair *s, size_t i, struct column c, const REAL *below,
                                        struct constants k, const struct row_end *e)
{
    const vector z_min = load(below + i);
    const vector left = (vector)((mask)lanes_before(s->before, s->here) & ~e->no_left);
    const vector right = (vector)((mask)lanes_after(s->here, s->after) & ~e->no_right);
    const vector more = (vector)((mask)((vector){0} + k.side) & (e->no_left | e->no_right));
    const vector sum = ((left + right) + (load(s->y_min + i) + load(s->y_max + i))) + (z_min + c.z_max);
    const vector made = ((k.centre + more) * s->here + k.side * sum) - c.old;
    const vector written = (vector)((e->write & (mask)made) | (~e->write & (mask)c.old));
    *(vector *)(s->u + i) = written;
    return (struct column){written, z_min};
}

/* Up to STAIRS_MOST stairs and what is above and below them. `count` is a constant wherever this is used. */
struct flight {
    const REAL *above, *below;
    struct stair a, b, c;
};

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE struct flight open_flight(REAL *now, REAL *next, size_t stride, size_t plane, size_t i, int count)
{
    struct flight f = {.above = now + plane, .below = (count % 2 ? now : next) - (size_t)count * plane};
    f.a = f.b = f.c = open_stair(next, now, stride, i);
    if (count > 1)
        f.b = open_stair(now - plane, next - plane, stride, i);
    if (count > 2)
        f.c = open_stair(next - 2 * plane, now - 2 * plane, stride, i);
    return f;
}

ALWAYS_INLINE void move_flight(struct flight *f, size_t i, int count)
{
    move_stair(&f->a, i);
    if (count > 1)
        move_stair(&f->b, i);
    if (count > 2)
        move_stair(&f->c, i);
}

ALWAYS_INLINE void descend_flight(const struct flight *f, size_t i, struct constants k, int count)
{
    struct column c = {load(f->above + i), load(f->a.u + i)};
    c = descend(&f->a, i, c, count > 1 ? f->b.u : f->below, k);
    if (count > 1)
        c = descend(&f->b, i, c, count > 2 ? f->c.u : f->below, k);
    if (count > 2)
        descend(&f->c, i, c, f->below, k);
}

ALWAYS_INLINE void descend_flight_end(const struct flight *f, size_t i, struct constants k, int count,
                                      const struct row_end *e)
{
    struct column c = {load(f->above + i), load(f->a.u + i)};
    c = descend_end(&f->a, i, c, count > 1 ? f->b.u : f->below, k, e);
    if (count > 1)
        c = descend_end(&f->b, i, c, count > 2 ? f->c.u : f->below, k, e);
    if (count > 2)
        descend_end(&f->c, i, c, f->below, k, e);
}

ALWAYS_INLINE void step_flights(const struct field *f, const struct row_shape *shape, size_t row0, size_t row1,
                                int count)
{
    const size_t stride = f->rows.stride, plane = stride * f->rows.ny;
    const size_t first = shape->start & ~(size_t)(LANES - 1), last = (shape->end - 1) & ~(size_t)(LANES - 1);
    const bool one = first == last;
    const mask none = {0}, no_left = lane_if(shape->closed_left, shape->start - first);
    const mask no_right = lane_if(shape->closed_right, shape->end - 1 - last);
    const mask from = lanes_from(shape->start - first), to = ~lanes_from(shape->end - last);
    const struct row_end left = {one ? (mask)(from & to) : from, no_left, one ? no_right : none};
    const struct row_end right = {to, none, no_right};
    const REAL side = (REAL)f->problem->as.leapfrog.courant_squared;
    const struct constants k = {(REAL)2 - (REAL)6 * side, side};
    for (size_t row = row0; row < row1; row++) {
        look_ahead(f->ahead);
        struct flight stairs =
            open_flight((REAL *)f->now + row * stride, (REAL *)f->next + row * stride, stride, plane, first, count);
        descend_flight_end(&stairs, first, k, count, &left);
        if (one)
            continue;
        for (size_t i = first + LANES; i < last; i += LANES) {
            move_flight(&stairs, i, count);
            descend_flight(&stairs, i, k, count);
        }
        move_flight(&stairs, last, count);
        descend_flight_end(&stairs, last, k, count, &right);
    }
}

void NAME(leapfrog_stairs)(const struct field *f, const struct row_shape *shape, size_t row0, size_t row1, size_t steps)
{
    if (steps == 3)
        step_flights(f, shape, row0, row1, 3);
    else if (steps == 2)
        step_flights(f, shape, row0, row1, 2);
    else
        step_flights(f, shape, row0, row1, 1);
}
