/* SPDX-License-Identifier: MIT */
/* The lattice of voxels on which a surface is voxelized. */
#ifndef AULA_GEOMETRY_LATTICE_H
#define AULA_GEOMETRY_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/acoustics/conventions.h"

struct lattice {
    double origin[3]; /* m: least corner of voxel (0, 0, 0); voxel i has its centre at origin + (i + ½) spacing */
    double spacing;   /* X, m */
    size_t count[3];  /* voxels along each axis */
    /* The ends of the lattice are walls of these materials (surface.materials): a box room. Else they are open: air
     * that reaches beyond them has leaked. */
    bool walled;
    uint32_t walls[FACES];
};

/* Planes from .. end - 1 across z of a padded lattice that has `all` of them: what one part of several has of it. Along
 * z what is kept in rows is counted from `from`. */
struct lattice_planes {
    size_t from, end, all;
};

#endif
