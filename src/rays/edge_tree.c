/* SPDX-License-Identifier: MIT */
#include "rays/edge_tree.h"

#include <math.h>
#include <stdlib.h>

enum { LEAF = 4, STACK = 64 };
static const double parallel_most = 0.01; /* sin² of the angle between a flight and an edge, at least */

/* A box around edges; those of a reach are in the box that is as much wider on each side. */
struct ray_edge_node {
    double lower[3], upper[3]; /* m */
    uint32_t first, count;     /* of the list; count 0: children are at `first` and first + 1 */
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
    *p = (struct ray_passage){index, at, distance};
}

bool ray_edges_first_of_all(const struct ray_edges *edges, const struct ray_flight *flight, struct ray_passage *p)
{
    *p = (struct ray_passage){UINT32_MAX, INFINITY, 0.0};
    for (size_t i = 0; i < edges->count; i++)
        pass(p, &edges->list[i], (uint32_t)i, flight);
    return p->edge != UINT32_MAX;
}

/* Where a flight enters a box that is wider by its reach; INFINITY: it does not. */
static inline double enter(const struct ray_edge_node *n, const struct ray_flight *f, const double inverse[3])
{
    double from = 0.0, to = f->length;
    for (int k = 0; k < 3; k++) {
        const double a = (n->lower[k] - f->reach - f->origin[k]) * inverse[k],
                     b = (n->upper[k] + f->reach - f->origin[k]) * inverse[k];
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
    }
    return from <= to ? from : INFINITY;
}

bool ray_edges_first(const struct ray_edges *edges, const struct ray_flight *flight, struct ray_passage *p)
{
    const double least = 1e-30, margin = 1e-9; /* m: beyond rounding */
    struct {
        uint32_t node;
        double entry;
    } stack[STACK];
    double inverse[3];
    size_t top = 0;
    *p = (struct ray_passage){UINT32_MAX, INFINITY, 0.0};
    for (int k = 0; k < 3; k++) {
        const double d = flight->direction[k];
        inverse[k] = 1.0 / (fabs(d) > least ? d : copysign(least, d));
    }
    stack[top++].node = 0;
    stack[0].entry = edges->count ? enter(&edges->nodes[0], flight, inverse) : INFINITY;
    while (top > 0) {
        top--;
        if (stack[top].entry == INFINITY || stack[top].entry > p->at + margin)
            continue;
        const struct ray_edge_node *n = &edges->nodes[stack[top].node];
        for (uint32_t i = n->first; i < n->first + n->count; i++)
            pass(p, &edges->list[i], i, flight);
        if (n->count)
            continue;
        const double entry[2] = {enter(&edges->nodes[n->first], flight, inverse),
                                 enter(&edges->nodes[n->first + 1], flight, inverse)};
        const uint32_t first = n->first, near = entry[1] < entry[0];
        for (uint32_t i = 0; i < 2; i++) { /* the closer one on top */
            const uint32_t child = i ? near : 1 - near;
            stack[top].node = first + child;
            stack[top++].entry = entry[child];
        }
    }
    return p->edge != UINT32_MAX;
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

static void bound(struct ray_edge_node *n, const struct ray_edge *list)
{
    for (int k = 0; k < 3; k++) {
        n->lower[k] = INFINITY;
        n->upper[k] = -INFINITY;
        for (uint32_t i = n->first; i < n->first + n->count; i++) {
            const double from = list[i].from[k], to = from + list[i].length * list[i].along[k];
            n->lower[k] = fmin(n->lower[k], fmin(from, to));
            n->upper[k] = fmax(n->upper[k], fmax(from, to));
        }
    }
}

/* Halves by count along the longest side of the box. */
static void divide(struct ray_edges *edges, uint32_t index, uint32_t *nodes)
{
    static int (*const orders[3])(const void *, const void *) = {along_x, along_y, along_z};
    struct ray_edge_node *n = &edges->nodes[index];
    int axis = 0;
    bound(n, edges->list);
    if (n->count <= LEAF)
        return;
    for (int k = 1; k < 3; k++)
        axis = n->upper[k] - n->lower[k] > n->upper[axis] - n->lower[axis] ? k : axis;
    qsort(edges->list + n->first, n->count, sizeof *edges->list, orders[axis]);
    const uint32_t children = *nodes, half = n->count / 2;
    *nodes += 2;
    edges->nodes[children] = (struct ray_edge_node){.first = n->first, .count = half};
    edges->nodes[children + 1] = (struct ray_edge_node){.first = n->first + half, .count = n->count - half};
    n->first = children;
    n->count = 0;
    divide(edges, children, nodes);
    divide(edges, children + 1, nodes);
}

int edge_tree_make(struct ray_edges *edges, struct error *e)
{
    uint32_t nodes = 1;
    edges->nodes = calloc(2 * edges->count + 1, sizeof *edges->nodes);
    if (!edges->nodes)
        return fail(e, ERROR_MEMORY, "out of memory for %zu edges", edges->count);
    edges->nodes[0] = (struct ray_edge_node){.count = (uint32_t)edges->count};
    divide(edges, 0, &nodes);
    return 0;
}
