/* SPDX-License-Identifier: MIT */
/* Part 0 leads all parts in making the voxels of a room. */
#ifndef AULA_SOLVER_PARTS_LEAD_VOXELS_H
#define AULA_SOLVER_PARTS_LEAD_VOXELS_H

#include "solver/parts/surface_packet.h"
#include "solver/parts/voxel_slabs.h"

/* As voxel_slabs_make, with the parts that serve at the other ends of the transport. Their
 * voxels of a previous room are discarded. */
int lead_voxels(struct voxel_slabs **slabs, struct voxel_set **near, struct voxel_report *report,
                const struct voxel_task *task, struct transport *t, struct error *e);

#endif
