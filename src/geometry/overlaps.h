/* SPDX-License-Identifier: MIT */
/* Resolves coinciding faces of a model, which lie within OVERLAP_FLAT of one plane. If their fronts
 * face the same way, the last face covers the others and these are removed where covered. If they
 * face both ways, one face remains, with the material of the topmost face of each direction on the
 * side that its front faces. Thus each point has one material per side, and no surface is counted
 * twice. Faces that coincide with no other stay unchanged, bit for bit. */
#ifndef AULA_GEOMETRY_OVERLAPS_H
#define AULA_GEOMETRY_OVERLAPS_H

#include "base/error.h"
#include "geometry/surface.h"

#define OVERLAP_FLAT 1e-4 /* m */

/* Triangles in fresh memory of malloc, each with one material, in their order; replaced where any overlap. Triangles
 * with the same corners and material stay: they are duplicates (geometry/snap.h). ERROR_INPUT: there would be more than
 * SURFACE_TRIANGLES_MAX; ERROR_MEMORY, ERROR_STOPPED. */
int overlaps_part(struct surface_triangle **triangles, size_t *count, struct error *e);

#endif
