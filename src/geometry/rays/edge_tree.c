/* SPDX-License-Identifier: MIT */
#include "geometry/rays/edge_tree.h"

#include <math.h>
#include <stdlib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "geometry/rays/edge_pass.h"

enum { LANES = RAY_EDGE_LANES };

bool ray_edges_first_of_all(const struct ray_edges *edges, const struct ray_flight *flight, struct ray_passage *p)
{
    *p = (struct ray_passage){.edge = RAY_NO_EDGE, .at = INFINITY};
    for (size_t i = 0; i < edges->count; i++)
        ray_edge_pass(p, &edges->list[i], (uint32_t)i, flight);
    return p->edge != RAY_NO_EDGE;
}

/* Bit i: ray_edge_may_pass of edge i. */
static inline unsigned may_pass(const struct ray_edge_lanes *e, const struct ray_lane_flight *l, float end)
{
    unsigned passed = 0;
#ifdef __SSE2__
    const __m128 dx = _mm_set1_ps(l->direction[0]), dy = _mm_set1_ps(l->direction[1]),
                 dz = _mm_set1_ps(l->direction[2]), margin = _mm_set1_ps(l->margin);
#define DOT(ax, ay, az, bx, by, bz) _mm_add_ps(_mm_add_ps(_mm_mul_ps(ax, bx), _mm_mul_ps(ay, by)), _mm_mul_ps(az, bz))
    for (int half = 0; half < LANES; half += 4) {
        const __m128 ux = _mm_load_ps(e->along[0] + half), uy = _mm_load_ps(e->along[1] + half),
                     uz = _mm_load_ps(e->along[2] + half);
        const __m128 wx = _mm_sub_ps(_mm_load_ps(e->from[0] + half), _mm_set1_ps(l->origin[0])),
                     wy = _mm_sub_ps(_mm_load_ps(e->from[1] + half), _mm_set1_ps(l->origin[1])),
                     wz = _mm_sub_ps(_mm_load_ps(e->from[2] + half), _mm_set1_ps(l->origin[2]));
        const __m128 ud = DOT(ux, uy, uz, dx, dy, dz), wd = DOT(wx, wy, wz, dx, dy, dz),
                     wu = DOT(wx, wy, wz, ux, uy, uz);
        const __m128 square = _mm_max_ps(_mm_sub_ps(_mm_set1_ps(1.0f), _mm_mul_ps(ud, ud)), _mm_set1_ps(0.0098f));
        const __m128 at = _mm_sub_ps(wd, _mm_mul_ps(ud, wu)), place = _mm_sub_ps(_mm_mul_ps(ud, wd), wu);
        __m128 ok = _mm_and_ps(_mm_cmpgt_ps(at, _mm_mul_ps(_mm_set1_ps(l->start), square)),
                               _mm_cmplt_ps(at, _mm_mul_ps(_mm_set1_ps(end), square)));
        ok = _mm_and_ps(ok, _mm_cmpgt_ps(_mm_add_ps(place, _mm_mul_ps(margin, square)), _mm_setzero_ps()));
        ok = _mm_and_ps(ok, _mm_cmplt_ps(place, _mm_mul_ps(_mm_add_ps(_mm_load_ps(e->length + half), margin), square)));
        const __m128 cx = _mm_sub_ps(_mm_mul_ps(dy, uz), _mm_mul_ps(dz, uy)),
                     cy = _mm_sub_ps(_mm_mul_ps(dz, ux), _mm_mul_ps(dx, uz)),
                     cz = _mm_sub_ps(_mm_mul_ps(dx, uy), _mm_mul_ps(dy, ux));
        const __m128 side = DOT(wx, wy, wz, cx, cy, cz);
        ok = _mm_and_ps(ok, _mm_cmplt_ps(_mm_mul_ps(side, side), _mm_mul_ps(_mm_set1_ps(l->square), square)));
        passed |= (unsigned)_mm_movemask_ps(ok) << half;
    }
#undef DOT
#else
    for (int i = 0; i < LANES; i++)
        passed |= (unsigned)ray_edge_may_pass(e, i, l, end) << i;
#endif
    return passed;
}

/* ray_edge_may_enter of eight boxes; bit i: in box i. */
static inline unsigned may_enter(float entry[LANES], const struct ray_edge_boxes *b, const struct ray_lane_flight *l,
                                 float end)
{
    unsigned entered = 0;
#ifdef __SSE2__
    for (int half = 0; half < LANES; half += 4) {
        __m128 from = _mm_setzero_ps(), to = _mm_set1_ps(end), nearest = _mm_set1_ps(-l->margin),
               farthest = _mm_set1_ps(l->margin);
        for (int k = 0; k < 3; k++) {
            const __m128 o = _mm_set1_ps(l->origin[k]), inverse = _mm_set1_ps(l->inverse[k]),
                         reach = _mm_set1_ps(l->reach), along = _mm_set1_ps(l->direction[k]);
            const __m128 low = _mm_sub_ps(_mm_load_ps(b->lower[k] + half), o),
                         high = _mm_sub_ps(_mm_load_ps(b->upper[k] + half), o);
            const __m128 p = _mm_mul_ps(low, along), q = _mm_mul_ps(high, along);
            const __m128 x = _mm_mul_ps(_mm_sub_ps(low, reach), inverse),
                         y = _mm_mul_ps(_mm_add_ps(high, reach), inverse);
            nearest = _mm_add_ps(nearest, _mm_min_ps(p, q));
            farthest = _mm_add_ps(farthest, _mm_max_ps(p, q));
            from = _mm_max_ps(from, _mm_min_ps(x, y));
            to = _mm_min_ps(to, _mm_max_ps(x, y));
        }
        from = _mm_max_ps(nearest, from); /* of an empty box they are NaN, which the second operand replaces */
        to = _mm_min_ps(farthest, to);
        _mm_storeu_ps(entry + half, from);
        entered |= (unsigned)_mm_movemask_ps(_mm_cmple_ps(from, _mm_mul_ps(to, _mm_set1_ps(ray_edge_widening))))
                   << half;
    }
#else
    for (int i = 0; i < LANES; i++)
        entered |= (unsigned)ray_edge_may_enter(&entry[i], b, i, l, end) << i;
#endif
    return entered;
}

/* Puts what a flight enters of a block on the stack, the closest on top. */
static inline struct ray_edge_pending *push(struct ray_edge_pending *top, const struct ray_edges *edges,
                                            struct ray_edge_pending from, const struct ray_lane_flight *l, float end)
{
    float entry[LANES];
    unsigned entered = may_enter(entry, &edges->boxes[edges->levels[from.level] + from.index], l, end);
    struct ray_edge_pending *const bottom = top;
    for (; entered; entered &= entered - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(entered);
        struct ray_edge_pending *at = top++;
        for (; at > bottom && at[-1].entry < entry[lane]; at--)
            *at = at[-1];
        *at = (struct ray_edge_pending){entry[lane], from.level - 1, LANES * from.index + lane};
    }
    return top;
}

static void pass_leaf(struct ray_passage *p, const struct ray_edges *edges, uint32_t leaf, const struct ray_flight *f,
                      const struct ray_lane_flight *l, float end)
{
    for (unsigned passed = may_pass(&edges->lanes[leaf], l, end); passed; passed &= passed - 1) {
        const uint32_t i = LANES * leaf + (uint32_t)__builtin_ctz(passed);
        if (i < edges->count)
            ray_edge_pass(p, &edges->list[i], i, f);
    }
}

bool ray_edges_first(const struct ray_edges *edges, const struct ray_flight *flight, struct ray_passage *p)
{
    struct ray_edge_pending stack[RAY_EDGE_STACK], *top = stack;
    const struct ray_lane_flight lanes = ray_lane_flight_of(edges, flight);
    float end = lanes.end;
    *p = (struct ray_passage){.edge = RAY_NO_EDGE, .at = INFINITY};
    if (edges->count)
        *top++ = (struct ray_edge_pending){0.0f, edges->level_count - 1, 0};
    while (top > stack) {
        const struct ray_edge_pending next = *--top;
        if (next.entry > end)
            continue;
        if (next.level >= 0)
            top = push(top, edges, next, &lanes, end);
        else
            pass_leaf(p, edges, next.index, flight, &lanes, end);
        p->looked++;
        end = p->at < (double)lanes.end ? (float)p->at + lanes.margin : lanes.end;
    }
    return p->edge != RAY_NO_EDGE;
}

/* ---- building */

static double twice_middle(const struct ray_edge *edge, int axis)
{
    return 2.0 * edge->from[axis] + edge->length * edge->along[axis];
}

/* By the middle along an axis, then by all else that tells edges apart, so that their order is always the same. */
static int compare(const struct ray_edge *a, const struct ray_edge *b, int axis)
{
    const double p = twice_middle(a, axis), q = twice_middle(b, axis);
    if (p != q)
        return p < q ? -1 : 1;
    for (int k = 0; k < 3; k++)
        if (a->from[k] != b->from[k])
            return a->from[k] < b->from[k] ? -1 : 1;
    for (int k = 0; k < 3; k++)
        if (a->along[k] != b->along[k])
            return a->along[k] < b->along[k] ? -1 : 1;
    return 0;
}

static int along_x(const void *a, const void *b)
{
    return compare(a, b, 0);
}

static int along_y(const void *a, const void *b)
{
    return compare(a, b, 1);
}

static int along_z(const void *a, const void *b)
{
    return compare(a, b, 2);
}

/* The box around some edges, relative to the middle of all; of none it is a place that no flight reaches. */
static void bound(float lower[3], float upper[3], const struct ray_edges *edges, size_t first, size_t end)
{
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = first; i < end && i < edges->count; i++) {
            const struct ray_edge *edge = &edges->list[i];
            const double from = edge->from[k] - edges->centre[k], to = from + edge->length * edge->along[k];
            low = fmin(low, fmin(from, to));
            high = fmax(high, fmax(from, to));
        }
        lower[k] = (float)low;
        upper[k] = (float)(low <= high ? high : low);
    }
}

/* In halves of whole leaves along the longest side of the box around them. */
static void sort(struct ray_edges *edges, size_t first, size_t end)
{
    static int (*const orders[3])(const void *, const void *) = {along_x, along_y, along_z};
    float lower[3], upper[3];
    int axis = 0;
    if (end - first <= LANES)
        return;
    bound(lower, upper, edges, first, end);
    for (int k = 1; k < 3; k++)
        axis = upper[k] - lower[k] > upper[axis] - lower[axis] ? k : axis;
    qsort(edges->list + first, end - first, sizeof *edges->list, orders[axis]);
    const size_t leaves = (end - first + LANES - 1) / LANES, middle = first + (leaves + 1) / 2 * LANES;
    sort(edges, first, middle);
    sort(edges, middle, end);
}

/* All lanes have an edge, if not their own. */
static void fill_lanes(struct ray_edge_lanes *lanes, const struct ray_edges *edges, size_t first)
{
    for (size_t i = 0; i < LANES; i++) {
        const struct ray_edge *edge = &edges->list[first + i < edges->count ? first + i : first];
        lanes->length[i] = (float)edge->length;
        for (int k = 0; k < 3; k++) {
            lanes->from[k][i] = (float)(edge->from[k] - edges->centre[k]);
            lanes->along[k][i] = (float)edge->along[k];
        }
    }
}

static void fill_boxes(struct ray_edge_boxes *boxes, const struct ray_edges *edges, size_t first, size_t each)
{
    for (size_t i = 0; i < LANES; i++) {
        float lower[3], upper[3];
        bound(lower, upper, edges, first + i * each, first + (i + 1) * each);
        for (int k = 0; k < 3; k++) {
            boxes->lower[k][i] = lower[k];
            boxes->upper[k][i] = upper[k];
        }
    }
}

/* What single precision may be off by: 1e-4 of the size, since ways along edges that are nearly parallel to a flight are
 * a hundred times as uncertain as places. */
static void set_centre(struct ray_edges *edges)
{
    float lower[3], upper[3];
    bound(lower, upper, edges, 0, edges->count);
    for (int k = 0; k < 3 && edges->count; k++) {
        edges->centre[k] = 0.5 * ((double)lower[k] + (double)upper[k]);
        edges->rounding += 1e-4 * ((double)upper[k] - (double)lower[k]);
    }
}

int edge_tree_make(struct ray_edges *edges, struct error *e)
{
    enum { LINE = 64 }; /* bytes of a line of the cache */
    const size_t leaves = (edges->count + LANES - 1) / LANES;
    size_t blocks = 0, each = LANES;
    for (size_t n = leaves; n > 1 || !edges->level_count; edges->level_count++) {
        n = (n + LANES - 1) / LANES;
        edges->levels[edges->level_count] = (uint32_t)blocks;
        blocks += n;
    }
    edges->lanes = aligned_alloc(LINE, ((leaves + 1) * sizeof *edges->lanes + LINE - 1) / LINE * LINE);
    edges->boxes = aligned_alloc(LINE, ((blocks + 1) * sizeof *edges->boxes + LINE - 1) / LINE * LINE);
    if (!edges->lanes || !edges->boxes)
        return fail(e, ERROR_MEMORY, "out of memory");
    set_centre(edges);
    sort(edges, 0, edges->count);
    for (size_t i = 0; i < leaves; i++)
        fill_lanes(&edges->lanes[i], edges, LANES * i);
    for (int level = 0; level < edges->level_count; level++, each *= LANES)
        for (size_t first = 0, i = 0; first < edges->count; first += LANES * each, i++)
            fill_boxes(&edges->boxes[edges->levels[level] + i], edges, first, each);
    return 0;
}
