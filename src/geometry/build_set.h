/* SPDX-License-Identifier: MIT */
/* The set of voxels of a room, and what its report says about the faces. */
#ifndef AULA_GEOMETRY_BUILD_SET_H
#define AULA_GEOMETRY_BUILD_SET_H

#include "geometry/areas.h"

/* All slabs call it; each makes the rows of its own planes. ERROR_MEMORY, ERROR_STOPPED. */
int build_set(struct voxel_planes *made, struct voxel_report *report, const struct room_cuts *r, struct areas *areas,
              const struct voxelize_options *options, struct error *e);

#endif
