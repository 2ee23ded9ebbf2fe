/* SPDX-License-Identifier: MIT */
/* The grid of a room: points, spacing, rate and valid band. */
#ifndef AULA_ROOM_GRID_GRID_H
#define AULA_ROOM_GRID_GRID_H

#include "room/grid/scheme_choice.h"

struct grid {
    enum air_stencil stencil;
    bool mapped; /* responses are corrected by the frequency map of solver/schemes/isotropic19/isotropic19.h */
    char scheme_reason[160];      /* of stencil and mapped, as in struct scheme_choice */
    size_t voxels[3];             /* cubes of air and material */
    size_t points[3];             /* 7-point: one at the centre of each voxel, (i + ½) X; 19-point: each corner, i X */
    double points_per_wavelength; /* at the edge of the valid band of a mapped grid; else those asked for, or 0 */
    double spacing;               /* X, m */
    double rate;                  /* fs = 1/k, Hz */
    double courant_squared;       /* λ²; its multiples in the scheme are exact in both precisions */
    double viscosity;             /* λ² τ/k, for absorption in the scheme; 0: lossless air */
    double matched;               /* Hz: the octave in which τ follows ISO 9613-1 */
    double sound_speed;           /* c, m/s */
    double origin[3];             /* m: least corner of voxel (0, 0, 0) in the room's coordinates; 0 in a box */
    double size[3];               /* m: voxels times spacing */
    double rounding[3];     /* m: size minus that asked for, of the box, the plan or the model (0: sized by points) */
    double valid_frequency; /* Hz: 7-point and unmapped: phase-velocity error at most room.output.dispersion up to here;
                               mapped: grid.max_frequency, or as many points a wavelength as asked for */
};

/* The default of grid.points_per_wavelength with the 7-point scheme, for 2 % of phase velocity
 * error. That of the mapped scheme is ISOTROPIC19_POINTS_PER_WAVELENGTH. */
#define GRID_POINTS_PER_WAVELENGTH 7.6
#define GRID_POINTS_MAX 1e13

/* The grid for a purpose (NULL: responses to each source). A grid.rate is met exactly. A
 * grid.max_frequency sets the largest spacing; up to 7 % less is used if walls and faces along the
 * axes then lie closer to the grid (room/grid/grid_fit.h). Sizes are rounded to whole cells. Room
 * sizes in points count points, so the box of a 19-point grid has one cell fewer along each axis.
 * The grid of a room that is not a box covers its bounding box, from a plane of the lattice at or
 * below its lowest corner, until room/grid/room_voxels.h crops it to the air. */
int grid_make_for(struct grid *g, const struct room *room, const struct grid_use *use, struct error *e);
int grid_make(struct grid *g, const struct room *room, struct error *e);

/* Converts a position in the room, m, to voxels from the corner of voxel (0, 0, 0). */
static inline double grid_place(const struct grid *g, const double position[3], int axis)
{
    return (position[axis] - g->origin[axis]) / g->spacing;
}

/* Squared distance from a position to a voxel, both in voxels; 0 inside it. */
double grid_voxel_distance_squared(const double at[3], const long voxel[3]);

/* Product of g->points, in 64 bits. */
uint64_t grid_points(const struct grid *g);

#endif
