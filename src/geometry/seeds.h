/* SPDX-License-Identifier: MIT */
/* The voxels of sources and receivers. */
#ifndef AULA_GEOMETRY_SEEDS_H
#define AULA_GEOMETRY_SEEDS_H

#include "geometry/room_cuts.h"
#include "geometry/voxelize.h"

/* The run of air nearest to a position: of the eight voxels around it the nearest one that is air and from which no
 * triangle parts it; where there is none, beside a thin sheet, of the 64 around it, and from which no solid parts it
 * either; NO_RUN: there is none. voxel: of that run. */
uint32_t seed_run(size_t voxel[3], const struct room_cuts *r, const double position[3]);

/* Fills *e with "NAME at (x, y, z) m REASON" and returns -1. */
int seed_refuse(const struct voxel_seed *s, struct error *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
