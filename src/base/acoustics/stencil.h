/* SPDX-License-Identifier: MIT */
/* The stencils by which the leapfrog scheme steps the air. */
#ifndef AULA_BASE_ACOUSTICS_STENCIL_H
#define AULA_BASE_ACOUSTICS_STENCIL_H

enum air_stencil {
    STENCIL_7_POINT, /* points are the centres of voxels */
    STENCIL_19_POINT /* isotropic, points are the corners of voxels: solver/schemes/isotropic19/isotropic19.h */
};

#endif
