/* SPDX-License-Identifier: MIT */
/* The voxels of a room that parts have made together, each a slab of planes, before anybody knows where the grid is
 * cut: the cut follows the air. All parts call each of the functions that take a transport together. */
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

/* Makes them and what all need to know of all. *near, in part 0 alone: a set as large as the whole in which only the
 * rows near the seeds have voxels, for the points of sources and receivers; *report as of voxelize. The same error in
 * all. */
int voxel_slabs_make(struct voxel_slabs **slabs, struct voxel_set **near, struct voxel_report *report,
                     const struct voxel_task *task, struct transport *t, struct error *e);
void voxel_slabs_free(struct voxel_slabs *s); /* NULL-safe */

uint64_t voxel_slabs_air(const struct voxel_slabs *s, size_t z); /* voxels of air of a plane; beyond the set none */
/* [CELL_CODES]: its faces to what is not air, by their code; beyond the set NULL. */
const uint64_t *voxel_slabs_faces(const struct voxel_slabs *s, size_t z);
uint64_t voxel_slabs_all_air(const struct voxel_slabs *s);
uint64_t voxel_slabs_checksum(const struct voxel_slabs *s); /* of the whole set: voxel_set_checksum */

/* *set: the layers spans[part] of each part, closed where they are cut from others; they stay this struct's and are not
 * copied anew as long as spans[] are the same: a part that is open is closed before others are asked for. status:
 * what the caller has come to so far, s may be NULL after a failure. */
int voxel_slabs_take(const struct voxel_set **set, struct voxel_slabs *s, const struct layer_span *spans,
                     struct transport *t, int status, struct error *e);

#endif
