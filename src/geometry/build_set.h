/* SPDX-License-Identifier: MIT */
/* Builds the set of voxels of a room, and the part of its report that concerns faces. */
#ifndef AULA_GEOMETRY_BUILD_SET_H
#define AULA_GEOMETRY_BUILD_SET_H

#include "geometry/areas.h"

/* Called by all slabs together; each makes the rows of its own planes. ERROR_MEMORY, ERROR_STOPPED. */
int build_set(struct voxel_planes *made, struct voxel_report *report, const struct room_cuts *r, struct areas *areas,
              const struct voxelize_options *options, struct error *e);

#endif
