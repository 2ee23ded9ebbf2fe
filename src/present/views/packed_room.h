/* SPDX-License-Identifier: MIT */
/* Packs the faces of a room into few bytes for the script of a report page. */
#ifndef AULA_PRESENT_VIEWS_PACKED_ROOM_H
#define AULA_PRESENT_VIEWS_PACKED_ROOM_H

#include "present/views/rectangles.h"
#include "present/views/room_model.h"

enum { PACKED_RECTANGLES = 200000 }; /* a room with more is coarsened */

struct packed_room {
    struct viewed_room room;  /* as it is packed; reads `coarse` where there is one */
    struct rectangles faces;  /* by side, material, plane, and then by place */
    struct voxel_set *coarse; /* NULL: the room's own voxels */
    size_t factor;            /* voxels of the room along an axis of one that is shown */
    uint8_t *bytes;           /* [byte_count] */
    size_t byte_count;
};

/* Packed, in numbers of seven bits a byte, low ones first, 128 added to all but the last: voxels along x, y, z; number
 * of rectangles; then for each side, material and plane: side, material, plane, rectangles, and for each of these the
 * rows since the one before, its start in the row, its length - 1, its rows - 1. At most `most` rectangles
 * (PACKED_RECTANGLES). ERROR_MEMORY, ERROR_STOPPED. */
int packed_room_make(struct packed_room *s, const struct viewed_room *room, size_t most, struct error *e);
void packed_room_free(struct packed_room *s); /* safe on a zeroed struct */

/* m: height of the surface below a position; the position itself if it is not in air. */
double packed_room_floor(const struct viewed_room *room, const double position[3]);

#endif
