/* SPDX-License-Identifier: MIT */
/* Solids on a lattice: the voxels that they cover, and the normals that links see on entering them. */
#ifndef AULA_GEOMETRY_SOLIDS_H
#define AULA_GEOMETRY_SOLIDS_H

#include "base/error.h"
#include "geometry/lattice.h"
#include "geometry/solid.h"

/* Voxels start <= x < end of a row that a solid covers. */
struct solid_run {
    uint32_t start, end, solid;
};

/* With `shift` voxels of padding before voxel (0, 0, 0) of the lattice and after its last; along z these planes
 * alone. */
struct solid_rows {
    const struct surface *surface;
    const struct lattice *lattice;
    struct lattice_planes planes;
    size_t shift, count[3]; /* count: with padding; along z of these planes */
    size_t *start;          /* [rows + 1]; NULL: there are no solids */
    struct solid_run *runs; /* [start[rows]], those of a row in the order of solids */
    struct chord *chords;   /* room for those of a line in any of the solids, for one thread */
};

int solids_find(struct solid_rows *r, const struct surface *surface, const struct lattice *lattice, size_t shift,
                const struct lattice_planes *planes, struct error *e);
void solids_free(struct solid_rows *r); /* safe on a zeroed struct */

/* Voxels here whose centres are in [from, to) along an axis; for all but axis-parallel boxes one more
 * on either side, since their own test decides. */
void solid_range(size_t range[2], const struct solid_rows *r, const struct surface_solid *s, int axis);

/* The last solid that covers a voxel; surface.solid_count: none. */
size_t solid_at(const struct solid_rows *r, const size_t at[3]);
/* Whether this one covers it, be it the last or not. */
bool solid_covers(const struct solid_rows *r, size_t solid, const size_t at[3]);

/* Where the link from a voxel outside a solid to the neighbour inside enters it, in 1/65536 from the voxel outside. */
uint32_t solid_entry(const struct solid_rows *r, size_t solid, const size_t from[3], int side);

/* The component along an axis of the solid's unit normal, as solid_component, at a place of a link; at the centre of a
 * voxel. */
double solid_component_on_link(const struct solid_rows *r, size_t solid, const size_t from[3], int side, uint32_t place,
                               int axis);
double solid_component_near(const struct solid_rows *r, size_t solid, const size_t voxel[3], int axis);

#endif
