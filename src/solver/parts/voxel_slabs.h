/* SPDX-License-Identifier: MIT */
/* The voxels of a room made jointly by all parts, each making a slab of planes, before the grid
 * is cut, as the cut depends on the air. Functions that take a transport must be called by all
 * parts together. */
#ifndef AULA_SOLVER_PARTS_VOXEL_SLABS_H
#define AULA_SOLVER_PARTS_VOXEL_SLABS_H

#include "base/transport/transport.h"
#include "geometry/voxels/voxel_set.h"

struct voxel_report;
struct voxel_task; /* solver/parts/surface_packet.h */
struct voxel_slabs;

/* Layers from .. end - 1 of the whole set. */
struct layer_span {
    size_t from, end;
};

/* Makes the voxels and the numbers that all parts need. *near, in part 0 only: a set as large as
 * the whole in which only the rows near the source voxels contain voxels, for the points of sources and
 * receivers. *report as in voxelize. All parts return the same error. */
int voxel_slabs_make(struct voxel_slabs **slabs, struct voxel_set **near, struct voxel_report *report,
                     const struct voxel_task *task, struct transport *t, struct error *e);
void voxel_slabs_free(struct voxel_slabs *s); /* NULL-safe */

uint64_t voxel_slabs_air(const struct voxel_slabs *s, size_t z); /* air voxels of a plane; 0 beyond the set */
/* [CELL_CODES]: faces of a plane between air and everything else, by code; NULL beyond the set. */
const uint64_t *voxel_slabs_faces(const struct voxel_slabs *s, size_t z);
uint64_t voxel_slabs_all_air(const struct voxel_slabs *s);
uint64_t voxel_slabs_checksum(const struct voxel_slabs *s); /* checksum of the whole set (voxel_set_checksum) */

/* *set: the layers spans[part] of each part, closed where they are cut from others. The struct
 * owns them, and copies them anew only if spans[] changes; an open part must be closed before
 * other spans are requested. status: result of the caller so far; after a failure s may be NULL. */
int voxel_slabs_take(const struct voxel_set **set, struct voxel_slabs *s, const struct layer_span *spans,
                     struct transport *t, int status, struct error *e);

#endif
