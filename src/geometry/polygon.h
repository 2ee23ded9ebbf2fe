/* SPDX-License-Identifier: MIT */
/* Polygons to triangles: ear clipping (Meisters 1975; Eberly, "Triangulation by Ear Clipping") in double precision. */
#ifndef AULA_GEOMETRY_POLYGON_H
#define AULA_GEOMETRY_POLYGON_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { POLYGON_CORNERS_MAX = 4096 };

/* Workspace, used again for each polygon. Zero it first. */
struct ear_clipper {
    uint32_t (*triangles)[3]; /* the result: indices of vertices */
    double (*flat)[2];        /* the corners, seen along the polygon's normal: counter-clockwise */
    uint32_t *before, *after; /* neighbours of each corner that is left */
    uint32_t *reflex;         /* corners that no ear may contain */
    size_t room, reflex_count;
    double no_area; /* twice the area below which three corners are on a line */
    uint64_t tests; /* corners compared with triangles; limited, so that no polygon takes long */
};

/* Triangles of the polygon with these `count` corners, 3..POLYGON_CORNERS_MAX, which index `vertices`: convex or not,
 * about planar; their orientation is the polygon's. Holes may be joined to the outline by double edges. Corners on a
 * straight edge stay corners of triangles where possible; what has no area gives no triangle, but for a triangle, which
 * stays as it is. A polygon that crosses itself gives some triangles between its corners. ERROR_MEMORY. */
int polygon_triangles(struct ear_clipper *c, const double (*vertices)[3], const uint32_t *corners, size_t count,
                      size_t *triangle_count, struct error *e);
void ear_clipper_free(struct ear_clipper *c);

#endif
