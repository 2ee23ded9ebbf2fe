/* SPDX-License-Identifier: MIT */
/* The corners of voxels, which are the points of the 19-point scheme, and how the eight voxels at a
 * corner affect it.
 *
 * M and K are sums over the air voxels. Each voxel contributes an eighth of its mass to each of its
 * corners, and to the links between them a quarter of an edge or half of a face diagonal. So, by
 * theory (15) and (16), a point that shares n of its voxels with a neighbour has
 *
 *     λ²/m W_ij = g n,   g = 2 W/M, W = λ²/3, M = 8 m the number of air voxels,
 *     n = 0..4 along an axis, 0..2 on a diagonal
 *
 *     q = p + ((p - p⁻) + g Σ n (p_j - p))
 *
 * If the air voxels fill whole sides of the point (inside, at flat walls, and at edges and corners
 * that enclose the air), this is the full stencil with its neighbours mirrored at the walls. */
#ifndef AULA_SOLVER_SCHEMES_LEAPFROG_CORNERS_H
#define AULA_SOLVER_SCHEMES_LEAPFROG_CORNERS_H

#include "solver/schemes/leapfrog/row_sink.h"

enum { CORNER_VOXELS = 8, CORNER_NEIGHBOURS = 18 };

/* A face between an air voxel at the point and a voxel that is not air. */
struct corner_face {
    uint8_t code, area; /* as in struct face_run; CELL_AIR: no face */
    uint16_t before;
};

struct corner {
    /* bit dx + 2 dy + 4 dz: that voxel is air. 0: not a point of the grid; also if a fixed face
     * meets it */
    unsigned pattern;
    struct corner_face faces[CORNER_VOXELS][3]; /* of each air voxel, towards its neighbour along each axis */
};

/* Sets the pattern of a corner with known faces from the voxels that are air. */
void corner_settle(struct corner *c, unsigned air);

/* The lowest corner of voxel `at`, with indices 0 .. number of voxels along each axis. */
struct corner corner_at(const struct voxel_set *v, const size_t at[3]);

/* Faces between air and other voxels at the point; each counts by its part at the point, a quarter if its surface is
 * along the axes: theory (38a). */
struct row_wall corner_wall(const struct leapfrog_problem *l, const struct corner *c);

/* Sides of the point with air along an axis: bit 0 the lower, bit 1 the upper. */
static inline unsigned corner_sides(unsigned pattern, int axis)
{
    static const unsigned lower[3] = {0x55u, 0x33u, 0x0fu};
    return (pattern & lower[axis] ? 1u : 0u) | (pattern & ~lower[axis] & 0xffu ? 2u : 0u);
}

/* Whether the air voxels fill whole sides of the point, so that the stencil mirrors its
 * neighbours. */
static inline bool corner_mirrors(unsigned pattern)
{
    const unsigned x = corner_sides(pattern, 0), y = corner_sides(pattern, 1), z = corner_sides(pattern, 2);
    return pattern &&
           __builtin_popcount(pattern) == __builtin_popcount(x) * __builtin_popcount(y) * __builtin_popcount(z);
}

/* Number of air voxels that contain both the point and the neighbour at dx, dy, dz = -1, 0, 1. */
static inline unsigned corner_links(unsigned pattern, int dx, int dy, int dz)
{
    const unsigned x = dx < 0 ? 0x55u : dx ? 0xaau : 0xffu, y = dy < 0 ? 0x33u : dy ? 0xccu : 0xffu;
    const unsigned z = dz < 0 ? 0x0fu : dz ? 0xf0u : 0xffu;
    return (unsigned)__builtin_popcount(pattern & x & y & z);
}

/* A neighbour of a point whose stencil is not mirrored, with the number of air voxels that
 * contain both. */
struct corner_neighbour {
    int8_t dx, dy, dz;
    uint8_t links;
};
struct corner_neighbours {
    struct corner_neighbour list[CORNER_NEIGHBOURS]; /* in canonical order */
    int count;
};

static inline struct corner_neighbours corner_neighbours_of(unsigned pattern)
{
    struct corner_neighbours n = {.count = 0};
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int axes = (dx != 0) + (dy != 0) + (dz != 0);
                const unsigned links = axes == 1 || axes == 2 ? corner_links(pattern, dx, dy, dz) : 0;
                if (links)
                    n.list[n.count++] = (struct corner_neighbour){(int8_t)dx, (int8_t)dy, (int8_t)dz, (uint8_t)links};
            }
    return n;
}

#endif
