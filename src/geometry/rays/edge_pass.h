/* SPDX-License-Identifier: MIT */
/* Whether a flight passes an edge: the exact test, by which every way through the tree decides, and
 * the tests of the tree's leaves and boxes, lane by lane. */
#ifndef AULA_GEOMETRY_RAYS_EDGE_PASS_H
#define AULA_GEOMETRY_RAYS_EDGE_PASS_H

#include <math.h>
#include <stdalign.h>

#include "base/vector3.h"
#include "geometry/rays/edges.h"

enum { RAY_EDGE_LANES = 8 };
static const double ray_edge_parallel = 0.01;           /* sin² of the angle between a flight and an edge, at least */
static const float ray_edge_widening = 1.0f + 0x1p-20f; /* beyond what roundings lose of a distance to a box */

/* Boxes around eight leaves, or around eight such blocks, relative to the middle of all; where there are fewer, no flight
 * meets the rest. */
struct ray_edge_boxes {
    alignas(16) float lower[3][RAY_EDGE_LANES], upper[3][RAY_EDGE_LANES];
};

/* The edges of a leaf in single precision, relative to the middle of all; they tell which ones may be passed. */
struct ray_edge_lanes {
    alignas(16) float from[3][RAY_EDGE_LANES], along[3][RAY_EDGE_LANES], length[RAY_EDGE_LANES];
};

/* In the wedge between its faces, which is less than half a turn. */
ON_DEVICE bool ray_edge_is_behind(const struct ray_edge *edge, const double direction[3])
{
    const double turn = triple3(edge->along, edge->faces[0], edge->faces[1]);
    const double first = triple3(edge->along, edge->faces[0], direction),
                 second = triple3(edge->along, direction, edge->faces[1]);
    return turn > 0.0 ? first > 0.0 && second > 0.0 : first < 0.0 && second < 0.0;
}

ON_DEVICE bool ray_edge_has_passed(const struct ray_flight *f, uint32_t edge)
{
    for (size_t i = 0; i < f->passed_count; i++)
        if (f->passed[i] == edge)
            return true;
    return false;
}

/* Whether a flight passes an edge before *p, which becomes it then; of two at the same place the earlier one of the
 * list. */
ON_DEVICE void ray_edge_pass(struct ray_passage *p, const struct ray_edge *edge, uint32_t index,
                             const struct ray_flight *f)
{
    const double *d = f->direction, *u = edge->along;
    const double w[3] = {edge->from[0] - f->origin[0], edge->from[1] - f->origin[1], edge->from[2] - f->origin[2]};
    const double ud = dot3(u, d), square = 1.0 - ud * ud, wd = dot3(w, d), wu = dot3(w, u);
    if (!(square > ray_edge_parallel))
        return;
    const double at = (wd - ud * wu) / square, place = (ud * wd - wu) / square;
    if (!(at > RAY_EDGE_APART && at < f->length - RAY_EDGE_APART && place > 0.0 && place < edge->length) ||
        at > p->at || (at == p->at && index > p->edge))
        return;
    const double side = triple3(d, u, w), distance = fabs(side) / sqrt(square);
    if (!(distance < f->reach))
        return;
    double away[3]; /* from the edge to the flight */
    for (int k = 0; k < 3; k++)
        away[k] = at * d[k] - w[k] - place * u[k];
    if (ray_edge_is_behind(edge, away) || ray_edge_has_passed(f, index))
        return;
    p->edge = index;
    p->at = at;
    p->distance = distance;
}

/* A flight for the lanes: what it may be off by in single precision is on the side of passing. */
struct ray_lane_flight {
    float origin[3], direction[3]; /* relative to the middle of all */
    float inverse[3];
    float margin, reach;      /* m: of single precision, and of the flight with it */
    float start, end, square; /* m; m²: of the reach */
};

ON_DEVICE struct ray_lane_flight ray_lane_flight_of(const struct ray_edges *edges, const struct ray_flight *f)
{
    struct ray_lane_flight l;
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

/* Whether edge i of a leaf may be passed before `end`. */
ON_DEVICE bool ray_edge_may_pass(const struct ray_edge_lanes *e, int i, const struct ray_lane_flight *l, float end)
{
    const float dx = l->direction[0], dy = l->direction[1], dz = l->direction[2];
    const float ux = e->along[0][i], uy = e->along[1][i], uz = e->along[2][i];
    const float wx = e->from[0][i] - l->origin[0], wy = e->from[1][i] - l->origin[1], wz = e->from[2][i] - l->origin[2];
    const float ud = ux * dx + uy * dy + uz * dz, wd = wx * dx + wy * dy + wz * dz, wu = wx * ux + wy * uy + wz * uz;
    const float square = fmaxf(1.0f - ud * ud, 0.0098f), at = wd - ud * wu, place = ud * wd - wu;
    const float cx = dy * uz - dz * uy, cy = dz * ux - dx * uz, cz = dx * uy - dy * ux;
    const float side = wx * cx + wy * cy + wz * cz;
    return at > l->start * square && at < end * square && place + l->margin * square > 0.0f &&
           place < (e->length[i] + l->margin) * square && side * side < l->square * square;
}

/* Where a flight may first pass an edge in box i; false: not before `end`. The flight is then
 * inside a box that is wider by its reach. Since the shortest line from the flight to an edge is
 * perpendicular to the flight, the edge's point there is also as far along the flight: between the
 * nearest and the farthest corner of the box. */
ON_DEVICE bool ray_edge_may_enter(float *entry, const struct ray_edge_boxes *b, int i, const struct ray_lane_flight *l,
                                  float end)
{
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
    *entry = fmaxf(from, nearest); /* of an empty box they are NaN, which the other operand replaces */
    return *entry <= fminf(to, farthest) * ray_edge_widening;
}

/* A block or a leaf (level -1) that waits for its turn. */
struct ray_edge_pending {
    float entry;
    int level;
    uint32_t index;
};
enum { RAY_EDGE_STACK = RAY_EDGE_LANES * (int)RAY_EDGE_LEVELS };

#endif
