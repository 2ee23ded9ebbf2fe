/* SPDX-License-Identifier: MIT */
#include "geometry/rays/edge_star.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/rays/edges.h"

static const double pi = 3.14159265358979323846;
static const double stub = 1e-3;  /* m: what goes on for less than that has ended */
static const double across = 0.1; /* of the cosine between a line and the normal of a face along which it is */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

struct edge_star edge_star_at(const double place[3], const double along[3])
{
    struct edge_star s = {.count = 0};
    const int axis = fabs(along[0]) < 0.6 ? 0 : 1;
    double length = 0.0;
    memcpy(s.place, place, sizeof s.place);
    memcpy(s.along, along, sizeof s.along);
    for (int k = 0; k < 3; k++) {
        s.across[k] = (k == axis ? 1.0 : 0.0) - along[axis] * along[k];
        length += s.across[k] * s.across[k];
    }
    for (int k = 0; k < 3; k++)
        s.across[k] /= sqrt(length);
    for (int k = 0; k < 3; k++)
        s.up[k] = along[(k + 1) % 3] * s.across[(k + 2) % 3] - along[(k + 2) % 3] * s.across[(k + 1) % 3];
    return s;
}

/* The ends of the line in which the section cuts a face. */
static bool cut(double ends[2][2], const struct edge_star *s, const struct ray_face *face)
{
    double height[3], flat[3][2];
    int count = 0;
    for (int c = 0; c < 3; c++) {
        double from[3];
        for (int k = 0; k < 3; k++)
            from[k] = face->corner[c][k] - s->place[k];
        height[c] = dot(from, s->along);
        flat[c][0] = dot(from, s->across);
        flat[c][1] = dot(from, s->up);
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3;
        if ((height[c] <= 0.0) == (height[d] <= 0.0))
            continue;
        const double share = height[c] / (height[c] - height[d]);
        for (int k = 0; k < 2; k++)
            ends[count][k] = flat[c][k] + share * (flat[d][k] - flat[c][k]);
        count++;
    }
    return count == 2;
}

void edge_star_add(struct edge_star *s, const struct ray_face *face, double touch)
{
    double ends[2][2];
    if (fabs(dot(face->normal, s->along)) > across || !cut(ends, s, face))
        return;
    const double way[2] = {ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]},
                 square = way[0] * way[0] + way[1] * way[1];
    if (!(square > 0.0))
        return;
    const double share = fmin(fmax(-(ends[0][0] * way[0] + ends[0][1] * way[1]) / square, 0.0), 1.0);
    const double closest[2] = {ends[0][0] + share * way[0], ends[0][1] + share * way[1]}, length = sqrt(square);
    if (!(hypot(closest[0], closest[1]) <= touch))
        return;
    s->curved = s->curved || face->curved;
    if ((1.0 - share) * length > stub && s->count < EDGE_ARMS)
        s->arms[s->count++] = atan2(way[1], way[0]);
    if (share * length > stub && s->count < EDGE_ARMS)
        s->arms[s->count++] = atan2(-way[1], -way[0]);
}

static int by_angle(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static void direction_of(double direction[3], const struct edge_star *s, double angle)
{
    for (int k = 0; k < 3; k++)
        direction[k] = cos(angle) * s->across[k] + sin(angle) * s->up[k];
}

bool edge_star_open(struct edge_star *s, double faces[2][3], double middle[3])
{
    const double least = pi * (1.0 + RAY_EDGE_BEND / 180.0);
    qsort(s->arms, s->count, sizeof *s->arms, by_angle);
    for (size_t i = 0; i < s->count; i++) {
        const bool last = i + 1 == s->count;
        const double end = last ? s->arms[0] + 2.0 * pi : s->arms[i + 1];
        if (!(end - s->arms[i] > least))
            continue;
        direction_of(faces[0], s, s->arms[i]);
        direction_of(faces[1], s, end);
        direction_of(middle, s, 0.5 * (s->arms[i] + end));
        return true;
    }
    return false;
}
