/* SPDX-License-Identifier: MIT */
/* All that voxels are made of, on its way to other parts. */
#ifndef AULA_SOLVER_PARTS_SURFACE_PACKET_H
#define AULA_SOLVER_PARTS_SURFACE_PACKET_H

#include "base/transport/packet.h"
#include "geometry/voxelize.h"

struct voxel_task {
    struct surface surface;
    struct lattice lattice;
    const struct source_voxel *seeds; /* [seed_count] */
    size_t seed_count;
    struct voxelize_options options;
};

void voxel_task_pack(const struct voxel_task *task, struct packet *w);

/* The task points into the packet, where its pointers are put right. Without names, which are for messages of part
 * 0. */
int voxel_task_unpack(struct voxel_task *task, struct packet *w, struct error *e);

#endif
