/* SPDX-License-Identifier: MIT */
/* The voxels of one part: layers of a set, closed by rigid walls without area where the grid is
 * cut. */
#ifndef AULA_SOLVER_PARTS_PART_VOXELS_H
#define AULA_SOLVER_PARTS_PART_VOXELS_H

#include "base/transport/packet.h"
#include "geometry/voxels/voxel_set.h"

/* Buffer for the faces of a row while it is copied. */
struct row_copy {
    struct face_run *faces;
    size_t count, room;
};

/* Appends a row; flags say whether it is cut from the layers below and above. The caller frees
 * copy->faces. */
int part_voxels_append(struct voxel_set_builder *b, struct row_copy *copy, const struct voxel_row *row,
                       const bool cut[2], struct error *e);

/* Copies layers z0 .. z1 - 1 of a set. */
int part_voxels_copy(struct voxel_set **out, const struct voxel_set *whole, size_t z0, size_t z1, struct error *e);

void part_voxels_pack(const struct voxel_set *v, struct packet *w);
int part_voxels_unpack(struct voxel_set **out, struct packet *w, struct error *e);

void part_voxels_pack_row(const struct voxel_row *row, struct packet *w);
/* The row points into the packet. */
int part_voxels_unpack_row(struct voxel_row *row, struct packet *w, struct error *e);

#endif
