/* SPDX-License-Identifier: MIT */
/* Converts solids to triangles. */
#ifndef AULA_GEOMETRY_RAYS_FACETS_H
#define AULA_GEOMETRY_RAYS_FACETS_H

#include "base/error.h"
#include "geometry/surface.h"

/* Receives the triangles of a solid, with corners in the order that makes their normals point
 * outwards. */
struct facet_sink {
    void *context;
    void (*add)(void *context, const double corner[3][3], bool curved);
};

/* At most so many triangles. */
size_t facets_max(const struct surface_solid *s, double deviation);

/* Adds the triangles of a solid. Vertices of a round one are as far outside of its true surface as the middles of its
 * facets are inside: *deviation, m, 0 for flat ones, is at most the one asked for, but for solids so large that 20480
 * (spheres) or 2 x 256 (around cylinders) facets are too few. ERROR_MEMORY. */
int facets_of(const struct facet_sink *to, const struct surface_solid *s, double wanted, double *deviation,
              struct error *e);

#endif
