/* SPDX-License-Identifier: MIT */
#include "cuda/grid/box_walls.h"

#include <stdlib.h>
#include <string.h>

enum { AREAS = FACE_AREA_MAX + 1 };

/* Counts the faces of a row at one side of the set. */
static void count_row(uint64_t *tally, const struct voxel_set *v, size_t y, size_t z, int side)
{
    const struct voxel_row row = voxel_set_row(v, y, z);
    for (size_t i = 0; i < row.face_count[side]; i++) {
        const struct face_run *f = &row.faces[side][i];
        const bool at_side = side == FACE_X_MIN   ? f->start == 0
                             : side == FACE_X_MAX ? f->start + f->length == voxel_set_count(v, 0)
                                                  : true;
        if (at_side)
            tally[f->code * AREAS + f->area] += f->length;
    }
}

static void count_side(uint64_t *tally, const struct voxel_set *v, int side)
{
    size_t from[3] = {0, 0, 0}, to[3] = {1, voxel_set_count(v, 1), voxel_set_count(v, 2)};
    if (side / 2 > 0) { /* along x, all rows */
        from[side / 2] = side % 2 ? to[side / 2] - 1 : 0;
        to[side / 2] = from[side / 2] + 1;
    }
    for (size_t z = from[2]; z < to[2]; z++)
        for (size_t y = from[1]; y < to[1]; y++)
            count_row(tally, v, y, z, side);
}

int box_walls_find(struct corner_face walls[FACES], const struct voxel_set *v, struct error *e)
{
    const size_t size = (size_t)CELL_CODES * AREAS;
    uint64_t *tally = malloc(size * sizeof *tally);
    if (!tally)
        return fail(e, ERROR_MEMORY, "out of memory for the table of wall points");
    for (int side = 0; side < FACES; side++) {
        size_t most = (size_t)CELL_SOLID * AREAS;
        memset(tally, 0, size * sizeof *tally);
        count_side(tally, v, side);
        for (size_t i = 0; i < size; i++)
            most = tally[i] > tally[most] ? i : most;
        walls[side] = (struct corner_face){(uint8_t)(most / AREAS), (uint8_t)(most % AREAS)};
    }
    free(tally);
    return 0;
}
