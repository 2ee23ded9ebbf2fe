/* SPDX-License-Identifier: MIT */
/* Finds the voxels of sources and receivers. */
#ifndef AULA_GEOMETRY_SOURCE_VOXELS_H
#define AULA_GEOMETRY_SOURCE_VOXELS_H

#include "geometry/room_cuts.h"
#include "geometry/voxelize.h"

/* The run of air nearest to a position: that of the nearest of the eight voxels around it that is
 * air and not separated from it by a triangle. If there is none, as beside a thin sheet, of the 64
 * voxels around it, not separated by a solid either. NO_RUN: none. voxel: of that run. */
uint32_t source_voxel_run(size_t voxel[3], const struct room_cuts *r, const double position[3]);

/* The result of source_voxel_run for a seed, which is sent to all slabs. */
struct source_voxel_place {
    bool found;
    uint32_t part;   /* of the air; 0: it was not asked for */
    size_t voxel[3]; /* of the whole padded lattice */
};

/* Fills places[count]. parts: the parts of the air are known and requested. Called by all slabs
 * together. ERROR_MEMORY. */
int source_voxels_find(struct source_voxel_place *places, const struct room_cuts *r, bool parts,
                       const struct source_voxel *source_voxels, size_t count, struct error *e);

/* Fills *e with "NAME at (x, y, z) m REASON" and returns -1. */
int source_voxel_refuse(const struct source_voxel *s, struct error *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
