/* SPDX-License-Identifier: MIT */
/* Finds where triangles and thin solids cross the lines through the centres of voxels. A link
 * connects the centres of neighbouring voxels. Links along an axis belong to the row, y + ny z, of
 * their lower voxel and have its x. */
#ifndef AULA_GEOMETRY_CROSSINGS_H
#define AULA_GEOMETRY_CROSSINGS_H

#include "geometry/snap.h"

/* A crossing is one number, whose order sorts a row by x, then by position on the link in 1/65536
 * from its lower end, then by element (a triangle's index; solids follow all triangles); crossings
 * due to the seal come last. */
typedef uint64_t crossing;

static inline uint32_t crossing_x(crossing c)
{
    return (uint32_t)(c >> 40);
}
static inline uint32_t crossing_place(crossing c)
{
    return (uint32_t)(c >> 24) & 0xffff;
}
static inline uint32_t crossing_element(crossing c)
{
    return (uint32_t)(c >> 1) & SURFACE_TRIANGLES_MAX;
}
static inline bool crossing_is_seal(crossing c)
{
    return c & 1;
}
static inline crossing crossing_make(uint64_t x, uint32_t place, uint32_t element, bool is_seal)
{
    return x << 40 | (crossing)place << 24 | (crossing)element << 1 | is_seal;
}

struct crossings {
    uint32_t *start[3]; /* [axis][rows + 1]: of each row's crossings */
    crossing *at[3];    /* [axis][start[rows]] */
};

/* Finds the crossings of triangles in these planes of a lattice of count[] voxels;
 * geometry/thin_solids.h adds those of solids. seal: distance, in X, by which faces extend beyond
 * their edges. threads: 0: OpenMP's choice. ERROR_INPUT if there are too many, ERROR_MEMORY,
 * ERROR_STOPPED. */
int crossings_find(struct crossings *c, const struct snapped *s, const size_t count[3],
                   const struct lattice_planes *planes, double seal, int threads, struct error *e);
void crossings_free(struct crossings *c); /* safe on a zeroed struct */

#endif
