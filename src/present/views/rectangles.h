/* SPDX-License-Identifier: MIT */
/* Merges the faces of a voxel set into rectangles of one plane and code. */
#ifndef AULA_PRESENT_VIEWS_RECTANGLES_H
#define AULA_PRESENT_VIEWS_RECTANGLES_H

#include "geometry/voxels/voxel_set.h"

/* In multiples of the spacing from the set's origin. */
struct rectangle {
    uint32_t at;             /* of its plane along the axis side / 2 */
    uint32_t from[2], to[2]; /* along the other two axes, in their order */
    uint8_t side;            /* enum face, seen from the air before it */
    uint8_t code;            /* enum cell */
};

struct rectangles {
    struct rectangle *list; /* [count] */
    size_t count, capacity;
};

/* Every face of the set in exactly one rectangle: runs along a row (of sides along x: along y), as long as the next row
 * has the same one. Costs the set's runs. Zero *r first. ERROR_MEMORY, ERROR_STOPPED. */
int rectangles_find(struct rectangles *r, const struct voxel_set *set, struct error *e);
void rectangles_free(struct rectangles *r); /* safe on a zeroed struct */

/* The two axes of a side's plane. */
static inline void rectangle_axes(int side, int axes[2])
{
    axes[0] = side / 2 == 0;
    axes[1] = side / 2 == 2 ? 1 : 2;
}

/* Corner 0 .. 3 of a rectangle, around it so that air is where it turns to the left; in multiples of the spacing. */
void rectangle_corner(const struct rectangle *r, int corner, uint32_t at[3]);

#endif
