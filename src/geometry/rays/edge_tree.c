/* SPDX-License-Identifier: MIT */
#include "geometry/rays/edge_tree.h"

#include <math.h>
#include <stdlib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LANES = 8 };
static const double parallel_most = 0.01;      /* sin² of the angle between a flight and an edge, at least */
static const float widening = 1.0f + 0x1p-20f; /* beyond what roundings lose of a distance to a box */

/* Boxes around eight leaves, or around eight such blocks, relative to the middle of all; where there are fewer, no flight
 * meets the rest. */
struct ray_edge_boxes {
    _Alignas(16) float lower[3][LANES], upper[3][LANES];
};

/* The edges of a leaf in single precision, relative to the middle of all; they tell which ones may be passed. */
struct ray_edge_lanes {
    _Alignas(16) float from[3][LANES], along[3][LANES], length[LANES];
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double triple(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* ---- passing an edge */

/* In the wedge between its faces, which is less than half a turn. */
static bool is_behind(const struct ray_edge *edge, const double direction[3])
{
    const double turn = triple(edge->along, edge->faces[0], edge->faces[1]);
    const double first = triple(edge->along, edge->faces[0], direction),
                 second = triple(edge->along, direction, edge->faces[1]);
    return turn > 0.0 ? first > 0.0 && second > 0.0 : first < 0.0 && second < 0.0;
}

static bool has_passed(const struct ray_flight *f, uint32_t edge)
{
    for (size_t i = 0; i < f->passed_count; i++)
        if (f->passed[i] == edge)
            return true;
    return false;
}

/* Whether a flight passes an edge before *p, which becomes it then; of two at the same place the earlier one of the
 * list. */
static void pass(struct ray_passage *p, const struct ray_edge *edge, uint32_t index, const struct ray_flight *f)
{
    const double *d = f->direction, *u = edge->along;
    const double w[3] = {edge->from[0] - f->origin[0], edge->from[1] - f->origin[1], edge->from[2] - f->origin[2]};
    const double ud = dot(u, d), square = 1.0 - ud * ud, wd = dot(w, d), wu = dot(w, u);
    if (!(square > parallel_most))
        return;
    const double at = (wd - ud * wu) / square, place = (ud * wd - wu) / square;
    if (!(at > RAY_EDGE_APART && at < f->length - RAY_EDGE_APART && place > 0.0 && place < edge->length) ||
        at > p->at || (at == p->at && index > p->edge))
        return;
    const double side = triple(d, u, w), distance = fabs(side) / sqrt(square);
    if (!(distance < f->reach))
        return;
    double away[3]; /* from the edge to the flight */
    for (int k = 0; k < 3; k++)
        away[k] = at * d[k] - w[k] - place * u[k];
    if (is_behind(edge, away) || has_passed(f, index))
        return;
    p->edge = index;
    p->at = at;
    p->distance = distance;
}

bool ray_edges_first_of_all(const struct ray_edges *edges, const struct ray_flight *flight, struct ray_passage *p)
{
    *p = (struct ray_passage){.edge = RAY_NO_EDGE, .at = INFINITY};
    for (size_t i = 0; i < edges->count; i++)
        pass(p, &edges->list[i], (uint32_t)i, flight);
    return p->edge != RAY_NO_EDGE;
}

/* ---- finding */

/* A flight for the lanes: what it may be off by in single precision is on the side of passing. */
struct lane_flight {
    float origin[3], direction[3]; /* relative to the middle of all */
    float inverse[3];
    float margin, reach;      /* m: of single precision, and of the flight with it */
    float start, end, square; /* m; m²: of the reach */
};

static struct lane_flight lane_flight_of(const struct ray_edges *edges, const struct ray_flight *f)
{
    struct lane_flight l;
    double margin = edges->rounding;
    for (int k = 0; k < 3; k++) {
        const double off = f->origin[k] - edges->centre[k];
        l.origin[k] = (float)off;
        l.direction[k] = (float)f->direction[k];
        margin += 1e-4 * fabs(off);
    }
    const double reach = f->reach + margin, least = 1e-30;
    for (int k = 0; k < 3; k++)
        l.inverse[k] =
            (float)(1.0 / (fabs(f->direction[k]) > least ? f->direction[k] : copysign(least, f->direction[k])));
    l.reach = (float)reach;
    l.margin = (float)margin;
    l.start = (float)(RAY_EDGE_APART - margin);
    l.end = (float)fmin(f->length - RAY_EDGE_APART + margin, 1e15);
    l.square = (float)fmin(reach * reach * 1.001, 1e30);
    return l;
}

/* Bit i: edge i may be passed before `end`. */
static inline unsigned may_pass(const struct ray_edge_lanes *e, const struct lane_flight *l, float end)
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
    (void)e, (void)l, (void)end;
    passed = (1u << LANES) - 1; /* the exact test of all */
#endif
    return passed;
}

/* Where a flight may first pass an edge in each of eight boxes; bit i: in box i it may do so before `end`. The flight is
 * then inside a box that is wider by its reach. Since the shortest line from the flight to an edge is perpendicular to
 * the flight, the edge's point there is also as far along the flight: between the nearest and the farthest corner of the
 * box. */
static inline unsigned may_enter(float entry[LANES], const struct ray_edge_boxes *b, const struct lane_flight *l,
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
        entered |= (unsigned)_mm_movemask_ps(_mm_cmple_ps(from, _mm_mul_ps(to, _mm_set1_ps(widening)))) << half;
    }
#else
    for (int i = 0; i < LANES; i++) {
        float from = 0.0f, to = end, nearest = -l->margin, farthest = l->margin;
        for (int k = 0; k < 3; k++) {
            const float low = b->lower[k][i] - l->origin[k], high = b->upper[k][i] - l->origin[k];
            const float p = low * l->direction[k], q = high * l->direction[k];
            const float x = (low - l->reach) * l->inverse[k], y = (high + l->reach) * l->inverse[k];
            nearest += fminf(p, q);
            farthest += fmaxf(p, q);
            from = fmaxf(from, fminf(x, y));
            to = fminf(to, fmaxf(x, y));
        }
        from = fmaxf(from, nearest);
        to = fminf(to, farthest);
        entry[i] = from;
        entered |= (unsigned)(from <= to * widening) << i;
    }
#endif
    return entered;
}

/* A block or a leaf (level -1) that waits for its turn. */
struct pending {
    float entry;
    int level;
    uint32_t index;
};

/* Puts what a flight enters of a block on the stack, the closest on top. */
static inline struct pending *push(struct pending *top, const struct ray_edges *edges, struct pending from,
                                   const struct lane_flight *l, float end)
{
    float entry[LANES];
    unsigned entered = may_enter(entry, &edges->boxes[edges->levels[from.level] + from.index], l, end);
    struct pending *const bottom = top;
    for (; entered; entered &= entered - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(entered);
        struct pending *at = top++;
        for (; at > bottom && at[-1].entry < entry[lane]; at--)
            *at = at[-1];
        *at = (struct pending){entry[lane], from.level - 1, LANES * from.index + lane};
    }
    return top;
}

static void pass_leaf(struct ray_passage *p, const struct ray_edges *edges, uint32_t leaf, const struct ray_flight *f,
                      const struct lane_flight *l, float end)
{
    for (unsigned passed = may_pass(&edges->lanes[leaf], l, end); passed; passed &= passed - 1) {
        const uint32_t i = LANES * leaf + (uint32_t)__builtin_ctz(passed);
        if (i < edges->count)
            pass(p, &edges->list[i], i, f);
    }
}

bool ray_edges_first(const struct ray_edges *edges, const struct ray_flight *flight, struct ray_passage *p)
{
    struct pending stack[LANES * RAY_EDGE_LEVELS], *top = stack;
    const struct lane_flight lanes = lane_flight_of(edges, flight);
    float end = lanes.end;
    *p = (struct ray_passage){.edge = RAY_NO_EDGE, .at = INFINITY};
    if (edges->count)
        *top++ = (struct pending){0.0f, edges->level_count - 1, 0};
    while (top > stack) {
        const struct pending next = *--top;
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
