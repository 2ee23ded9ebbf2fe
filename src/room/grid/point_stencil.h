/* SPDX-License-Identifier: MIT */
/* Weights by which a source or receiver between the points of a 19-point grid acts on the points around it.
 *
 * p(position) ≈ Σ W_q p_q over all points within a radius of the position, W real. W is the least-squares solution,
 * theory (45), over plane waves of the grid, e^{iκ d·x} with κ of isotropic19_wavenumber_along: Σ W_q cos(κ d·x_q) = 1 and
 * Σ W_q sin(κ d·x_q) = 0 for twelve frequencies from 0.002 to 0.212 of the grid's rate in directions of half a sphere
 * (d and -d give the same equations), with the penalty η² Σ W_q², η = 1e-5. With a radius of 3.2 cells, 118 to 148
 * points, the level of a plane wave is within -0.02 and +0.08 dB at 5 points a wavelength and 0.01 dB at 4, its phase
 * within 0.15°. */
#ifndef AULA_ROOM_GRID_POINT_STENCIL_H
#define AULA_ROOM_GRID_POINT_STENCIL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Points of a cube of eight a side, which hold a ball of any of the radii around any position of a cell. */
enum { POINT_STENCIL_MAX = 512 };

/* Points are relative to the lower corner of the position's cell. */
struct point_stencil {
    size_t count;
    int point[POINT_STENCIL_MAX][3]; /* -3..4 */
    double weight[POINT_STENCIL_MAX];
};

/* A radius, and the extremes over positions and directions, from 4 points a wavelength up, of the level of a plane
 * wave. The list descends, and ends where points that objects hide from the position are left out; the extremes there
 * are those beside surfaces, edges and corners. */
struct point_stencil_radius {
    double cells;
    bool partial;
    double low, high; /* dB */
};
enum { POINT_STENCIL_RADII = 5 };
extern const struct point_stencil_radius point_stencil_radii[POINT_STENCIL_RADII];

/* All points within a radius, in cells, of a position at `fraction` (0 to 1) of its cell. */
void point_stencil_points(struct point_stencil *s, const double fraction[3], double radius);

/* The weights of the points of s, which point_stencil_points has found, less any that are left out. The matrix of all
 * points around a cell is factored once in a process. ERROR_MEMORY. */
int point_stencil_fit(struct point_stencil *s, const double fraction[3], struct error *e);

#endif
