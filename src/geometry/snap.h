/* SPDX-License-Identifier: MIT */
/* Triangles on the integers of a lattice: in a canonical order, without degenerate ones and duplicates. */
#ifndef AULA_GEOMETRY_SNAP_H
#define AULA_GEOMETRY_SNAP_H

#include "base/error.h"
#include "geometry/lattice.h"
#include "geometry/surface.h"

/* Units of a spacing. The centre of voxel i is at SNAP_UNITS i + SNAP_UNITS / 2. */
enum { SNAP_UNITS = 65536 };

__extension__ typedef __int128 wide_integer;

struct snapped_triangle {
    int64_t corner[3][3]; /* ascending by x, y, z */
    double normal[3];     /* unit vector, of either direction */
    double area;          /* m² */
    int8_t sign[3];       /* of the normal's components, exact */
    int8_t facing;        /* the side that is seen: 1: where the normal points, -1: the other; 0: both */
    uint32_t material;
    uint32_t below; /* as of surface_triangle; of one that is seen from a side, the material of the other */
    double covering;
};

struct snapped {
    struct snapped_triangle *triangles; /* [count], by material, then by corners and facing */
    size_t count;
    size_t degenerate, duplicates; /* dropped; of duplicates the one with the lowest material stays */
};

/* `shift`: voxels of padding before voxel (0, 0, 0) of the lattice, which becomes voxel (shift, shift, shift).
 * ERROR_INPUT for corners that are not finite or too far away, ERROR_MEMORY. */
int snap_triangles(struct snapped *s, const struct surface *surface, const struct lattice *lattice, size_t shift,
                   struct error *e);
void snapped_free(struct snapped *s); /* safe on a zeroed struct */

#endif
