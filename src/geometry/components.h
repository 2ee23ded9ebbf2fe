/* SPDX-License-Identifier: MIT */
/* Determines which parts of the air are the room, and measures them. */
#ifndef AULA_GEOMETRY_COMPONENTS_H
#define AULA_GEOMETRY_COMPONENTS_H

#include "geometry/room_cuts.h"
#include "geometry/voxelize.h"

/* Sets room[part] for the parts that make up the room, outside[part] for those that reach the padding, and the report's
 * components; source: a voxel of the first source, in the whole padded lattice. All slabs call it. Without source voxels the
 * room is all air that is not outside. With joined parts (geometry/joined_parts.h), the room is all of them that sources
 * or receivers are in and, unless there are bodies, all that are not outside. Fails for sources and receivers elsewhere; not for a room that reaches the
 * outside. */
int components_find(bool *room, bool *outside, struct voxel_report *report, const struct room_cuts *r,
                    const struct source_voxel *source_voxels, size_t source_voxel_count, bool bodies, size_t source[3],
                    struct error *e);

#endif
