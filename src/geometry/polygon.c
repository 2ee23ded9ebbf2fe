/* SPDX-License-Identifier: MIT */
#include "geometry/polygon.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TESTS_MAX = 20000000 };

static const double flat_enough = 1e-14; /* of a polygon's extent squared: an ear without area */

static int make_room(struct ear_clipper *c, size_t count, struct error *e)
{
    if (count <= c->room)
        return 0;
    ear_clipper_free(c);
    c->triangles = calloc(count, sizeof *c->triangles);
    c->flat = calloc(count, sizeof *c->flat);
    c->before = calloc(count, sizeof *c->before);
    c->after = calloc(count, sizeof *c->after);
    c->reflex = calloc(count, sizeof *c->reflex);
    if (!c->triangles || !c->flat || !c->before || !c->after || !c->reflex) {
        ear_clipper_free(c);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    c->room = count;
    return 0;
}

void ear_clipper_free(struct ear_clipper *c)
{
    free(c->triangles);
    free(c->flat);
    free(c->before);
    free(c->after);
    free(c->reflex);
    memset(c, 0, sizeof *c);
}

/* Drops the axis along which the polygon is widest (Newell's normal, relative to the first corner), so that it is
 * counter-clockwise. Returns the square of its extent. */
static double flatten(struct ear_clipper *c, const double (*vertices)[3], const uint32_t *corners, size_t count)
{
    const double *origin = vertices[corners[0]];
    double normal[3] = {0}, extent = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double *p = vertices[corners[i]], *q = vertices[corners[(i + 1) % count]];
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] += (p[u] - origin[u]) * (q[v] - origin[v]) - (p[v] - origin[v]) * (q[u] - origin[u]);
        }
    }
    int axis = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
    if (fabs(normal[2]) > fabs(normal[axis]))
        axis = 2;
    const bool turned = normal[axis] < 0.0;
    const int u = (axis + (turned ? 2 : 1)) % 3, v = (axis + (turned ? 1 : 2)) % 3;
    for (size_t i = 0; i < count; i++) {
        c->flat[i][0] = vertices[corners[i]][u] - origin[u];
        c->flat[i][1] = vertices[corners[i]][v] - origin[v];
        extent = fmax(extent, fmax(fabs(c->flat[i][0]), fabs(c->flat[i][1])));
    }
    return extent * extent;
}

/* Twice the signed area of a triangle. */
static double area(const double p[2], const double q[2], const double r[2])
{
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

static double area_at(const struct ear_clipper *c, size_t i)
{
    return area(c->flat[c->before[i]], c->flat[i], c->flat[c->after[i]]);
}

static bool same_place(const double p[2], const double q[2])
{
    return p[0] == q[0] && p[1] == q[1];
}

/* Whether a corner other than the triangle's own lies in the ear at i, its edges included. */
static bool ear_is_blocked(struct ear_clipper *c, size_t i)
{
    const double *p = c->flat[c->before[i]], *q = c->flat[i], *r = c->flat[c->after[i]];
    for (size_t n = 0; n < c->reflex_count;) {
        const uint32_t k = c->reflex[n];
        const double *x = c->flat[k];
        c->tests++;
        if (c->after[k] == k || area_at(c, k) > c->no_area) { /* clipped, or convex by now */
            c->reflex[n] = c->reflex[--c->reflex_count];
            continue;
        }
        if (!same_place(x, p) && !same_place(x, q) && !same_place(x, r) && area(p, q, x) >= -c->no_area &&
            area(q, r, x) >= -c->no_area && area(r, p, x) >= -c->no_area)
            return true;
        n++;
    }
    return false;
}

/* Takes corner i out; returns its successor. */
static uint32_t unlink_corner(struct ear_clipper *c, uint32_t i)
{
    const uint32_t before = c->before[i], after = c->after[i];
    c->after[before] = after;
    c->before[after] = before;
    c->after[i] = c->before[i] = i;
    return after;
}

static uint32_t clip(struct ear_clipper *c, uint32_t i, const uint32_t *corners, size_t *count)
{
    uint32_t *t = c->triangles[(*count)++];
    t[0] = corners[c->before[i]];
    t[1] = corners[i];
    t[2] = corners[c->after[i]];
    return unlink_corner(c, i);
}

/* The corner with the least area, by magnitude. */
static uint32_t flattest(const struct ear_clipper *c, uint32_t start)
{
    uint32_t best = start;
    for (uint32_t i = c->after[start]; i != start; i = c->after[i])
        if (fabs(area_at(c, i)) < fabs(area_at(c, best)))
            best = i;
    return best;
}

static void clip_all(struct ear_clipper *c, const uint32_t *corners, size_t count, size_t *made)
{
    uint32_t i = 0;
    bool crossing = false;
    for (size_t left = count, misses = 0; left >= 3;) {
        const double at = area_at(c, i);
        if (at > c->no_area && (crossing || c->tests > TESTS_MAX || !ear_is_blocked(c, i))) {
            i = c->after[clip(c, i, corners, made)]; /* the next but one: fewer thin triangles */
            left--;
            misses = 0;
        } else if (misses++ < left) {
            i = c->after[i];
        } else { /* no ear: corners on a line, or the polygon crosses itself */
            const uint32_t flat = flattest(c, i);
            const bool empty = fabs(area_at(c, flat)) <= c->no_area;
            crossing = crossing || !empty;
            i = empty ? unlink_corner(c, flat) : clip(c, flat, corners, made);
            left--;
            misses = 0;
        }
    }
}

int polygon_triangles(struct ear_clipper *c, const double (*vertices)[3], const uint32_t *corners, size_t count,
                      size_t *triangle_count, struct error *e)
{
    *triangle_count = 0;
    if (make_room(c, count, e))
        return -1;
    if (count == 3) {
        memcpy(c->triangles[(*triangle_count)++], corners, sizeof *c->triangles);
        return 0;
    }
    c->no_area = flat_enough * flatten(c, vertices, corners, count);
    for (size_t i = 0; i < count; i++) {
        c->before[i] = (uint32_t)(i ? i - 1 : count - 1);
        c->after[i] = (uint32_t)(i + 1 < count ? i + 1 : 0);
    }
    c->reflex_count = c->tests = 0;
    for (size_t i = 0; i < count; i++)
        if (!(area_at(c, i) > c->no_area))
            c->reflex[c->reflex_count++] = (uint32_t)i;
    clip_all(c, corners, count, triangle_count);
    return 0;
}
