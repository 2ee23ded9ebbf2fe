/* SPDX-License-Identifier: MIT */
/* Parameters of the leapfrog scheme. Its arrays are "p", level n, and "p_previous", level n - 1. */
#ifndef AULA_SOLVER_SCHEMES_LEAPFROG_PROBLEM_H
#define AULA_SOLVER_SCHEMES_LEAPFROG_PROBLEM_H

#include "base/acoustics/conventions.h"
#include "geometry/voxels/voxel_set.h"
#include "solver/solver.h"

struct kept_rows;
struct voxel_slabs; /* solver/parts/voxel_slabs.h */
struct bodies;      /* solver/schemes/bodies/bodies.h: channel entries may refer to their arrays, from BODY_ARRAYS on */

/* The limp sheet between two faces of a wall that lets sound through. Its velocity v (specific, as p/(ρc)) follows the
 * difference of the pressures on both faces, theory (37a): inertance v' k + resistance v = p_1 - p_2. */
struct transmission {
    double inertance;  /* m/(ρ c k), m being the mass per area, without any air; 0: lets nothing through */
    double resistance; /* r/(ρ c) */
};

struct leapfrog_problem {
    enum air_stencil stencil;
    /* λ². 7-point: from cartesian7_courant_squared(), so that K λ² is exact for K = 0..6. 19-point:
     * ISOTROPIC19_COURANT_SQUARED. */
    double courant_squared;
    /* One voxel per point; with the 19-point stencil, whose points are corners of voxels, one
     * fewer along each axis. 7-point: there is a voxel of the set beyond every fixed face. NULL:
     * the grid is too large to step, or `slabs` is set. */
    const struct voxel_set *voxels;
    struct voxel_slabs *slabs; /* the parts own the voxels, each those that it made; NULL: they are in `voxels` */
    /* Specific admittance of a face of this code: Y = 1/ξ = admittance + Σ over its
     * branches of 1/(jω inertance + resistance + stiffness/(jω)). */
    double admittance[CELL_CODES];
    const struct branch *branches[CELL_CODES]; /* in units of the time step: D/k, E, F k */
    uint8_t branch_count[CELL_CODES];
    struct transmission transmission[CELL_CODES];
    /* λ² τ/k of viscothermal air from cartesian7_viscosity(): p_tt = c²∇²p + c²τ ∇²p_t; 0: lossless */
    double viscosity;
    struct kept_rows
        *kept_rows; /* rows of these voxels and walls; NULL: each solver scans them (solver/schemes/leapfrog/rows.h) */
    /* NULL: none. With bodies, the field is the velocity potential coupled to them
     * (solver/schemes/bodies/bodies.h). */
    const struct bodies *bodies;
};

static inline const struct leapfrog_problem *leapfrog_of(const struct problem *p)
{
    return (const struct leapfrog_problem *)p->parameters;
}

#endif
