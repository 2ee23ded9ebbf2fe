/* SPDX-License-Identifier: MIT */
/* The geometry of one solid: the points inside it, the chords of lines through it, and its normals. */
#ifndef AULA_GEOMETRY_SOLID_H
#define AULA_GEOMETRY_SOLID_H

#include "geometry/surface.h"

/* Whether a position is in a solid; one on its border is as [from, to) says. */
bool solid_holds(const struct surface_solid *s, const double at[3]);
double solid_area(const struct surface_solid *s); /* m² */
/* From where to where it reaches along an axis, m. */
void solid_extent(double range[2], const struct surface_solid *s, int axis);

/* The part of a line within a solid: start + t direction, from <= t <= to. */
struct chord {
    double from, to;
};
size_t solid_chords_max(const struct surface_solid *s);
/* The chords of a line, up to rounding, by ascending t: at most solid_chords_max(s). Returns how many. A line along a
 * face of a solid is in it as [from, to) says; one that is beside it may have a chord of no length. */
size_t solid_chords(struct chord *chords, const struct surface_solid *s, const double start[3],
                    const double direction[3]);

/* The component along an axis, 0 to 1, of the unit normal at the solid's border nearest to a position. For an
 * axis-parallel box, whose voxels show its true area, that is 1. */
double solid_component(const struct surface_solid *s, const double at[3], int axis);

#endif
