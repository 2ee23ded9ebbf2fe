/* SPDX-License-Identifier: MIT */
/* Packs the input of voxelization, to be sent to other parts. */
#ifndef AULA_SOLVER_PARTS_SURFACE_PACKET_H
#define AULA_SOLVER_PARTS_SURFACE_PACKET_H

#include "base/transport/packet.h"
#include "geometry/voxelize.h"

struct voxel_task {
    struct surface surface;
    struct lattice lattice;
    const struct source_voxel *source_voxels; /* [source_voxel_count] */
    size_t source_voxel_count;
    struct voxelize_options options;
};

void voxel_task_pack(const struct voxel_task *task, struct packet *w);

/* The task points into the packet, whose pointers are adjusted. It has no names, which only the
 * messages of part 0 need. */
int voxel_task_unpack(struct voxel_task *task, struct packet *w, struct error *e);

#endif
