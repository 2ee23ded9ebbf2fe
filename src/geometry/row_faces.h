/* SPDX-License-Identifier: MIT */
/* Lists the faces of a row of air, and the element that each shows. */
#ifndef AULA_GEOMETRY_ROW_FACES_H
#define AULA_GEOMETRY_ROW_FACES_H

#include "geometry/room_cuts.h"

/* Voxels of air from x = start on that see the same element through a side. */
struct seen_run {
    uint32_t start, length;
    int side;
    struct seen seen;
    unsigned before; /* as of struct face_run */
};

struct row_faces {
    struct seen_run *runs; /* [count], by side, those of a side by x */
    size_t count, capacity;
    bool slopes; /* set it first, for voxels_before.h: else `before` is 0 */
};

/* Replaces the contents of f. Returns 0, or -1 when out of memory. */
int row_faces_find(struct row_faces *f, const struct room_cuts *r, size_t y, size_t z);
void row_faces_free(struct row_faces *f); /* safe on a zeroed struct */

#endif
