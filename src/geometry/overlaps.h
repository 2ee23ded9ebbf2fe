/* SPDX-License-Identifier: MIT */
/* Faces of a model that lie on one another, within OVERLAP_FLAT of one plane, become faces that do not.
 *
 * Where fronts look the same way, the face that comes last is on top and the others are gone there. Where they look
 * both ways, one face is left, with the material of the topmost face of each way on the side to which that one's front
 * looks. So a place has one material on each side, and no surface is counted twice. Faces that lie on no other stay as
 * they are, bit for bit. */
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
