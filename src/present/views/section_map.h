/* SPDX-License-Identifier: MIT */
/* The visible faces in a section of a room, cell by cell. */
#ifndef AULA_PRESENT_VIEWS_SECTION_MAP_H
#define AULA_PRESENT_VIEWS_SECTION_MAP_H

#include "present/views/section.h"

enum { SECTION_OUTSIDE, SECTION_ENCLOSED /* no air in the cut: beyond the room, within it */, SECTION_CODES };

/* Cells of step x step voxels, sampled in their middle, with a ring of SECTION_OUTSIDE around them. */
struct section_map {
    int axes[3];          /* across, up, depth */
    size_t columns, rows; /* with the ring */
    size_t step;
    size_t cut;         /* voxel along the depth */
    uint16_t *seen;     /* [rows][columns]: SECTION_.., or SECTION_CODES + enum cell of the face that is seen */
    uint32_t *distance; /* [rows][columns]: voxels from the cut to that face */
};

/* At most `cells` along the longer axis. ERROR_MEMORY. */
int section_map_make(struct section_map *m, const struct viewed_room *room, const struct section_place *place,
                     size_t cells, struct error *e);
void section_map_free(struct section_map *m); /* safe on a zeroed struct */

static inline size_t section_at(const struct section_map *m, size_t column, size_t row)
{
    return row * m->columns + column;
}
static inline bool section_is_air(const struct section_map *m, size_t index)
{
    return m->seen[index] >= SECTION_CODES;
}

/* The code of the face between air in a cell and its neighbour, 0 .. 3 for left, right, below, above, which has
 * none. */
uint8_t section_edge(const struct section_map *m, const struct viewed_room *room, size_t column, size_t row,
                     int direction);

#endif
