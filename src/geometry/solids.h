/* Convex solids on a lattice: which voxels they cover, and what a link that enters one sees. */
#ifndef AULA_GEOMETRY_SOLIDS_H
#define AULA_GEOMETRY_SOLIDS_H

#include "base/error.h"
#include "geometry/lattice.h"
#include "geometry/surface.h"

/* Whether a position is in a solid; one on its border is as [from, to) says. */
bool solid_holds(const struct surface_solid *s, const double at[3]);
double solid_area(const struct surface_solid *s); /* m² */

/* Voxels start <= x < end of a row that a solid covers. */
struct solid_run {
    uint32_t start, end, solid;
};

/* With `shift` voxels of padding before voxel (0, 0, 0) of the lattice and after its last. */
struct solid_rows {
    const struct surface *surface;
    const struct lattice *lattice;
    size_t shift, count[3]; /* count: with padding */
    size_t *start;          /* [rows + 1]; NULL: there are no solids */
    struct solid_run *runs; /* [start[rows]], those of a row in the order of solids */
};

int solids_find(struct solid_rows *r, const struct surface *surface, const struct lattice *lattice, size_t shift,
                struct error *e);
void solids_free(struct solid_rows *r); /* safe on a zeroed struct */

/* The last solid that covers a voxel; surface.solid_count: none. */
size_t solid_at(const struct solid_rows *r, const size_t at[3]);

/* Where the link from a voxel outside a solid to the neighbour inside enters it: the place on it in 1/65536 from the
 * voxel outside, and the component along the link of the solid's unit normal there, 0 to 1. For an axis-parallel box,
 * whose voxels show its true area, that is 1. */
uint32_t solid_entry(double *component, const struct solid_rows *r, size_t solid, const size_t from[3], int side);

/* The same component, of the normal at the solid's border nearest to the centre of a voxel. */
double solid_component(const struct solid_rows *r, size_t solid, const size_t voxel[3], int axis);

#endif
