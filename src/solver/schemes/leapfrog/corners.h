/* SPDX-License-Identifier: MIT */
/* The corners of voxels, which are the points of the 19-point scheme: what the eight voxels at one do to it.
 *
 * M and K are sums over the air voxels: each gives an eighth of its mass to each of its corners, and links between
 * them: a quarter of an edge's, half of a face diagonal's. So, by theory (15) and (16), a point
 * that n of its voxels share with a neighbour has
 *
 *   λ²/m W_ij = g n,   g = 2 W/M, W = λ²/3, M = 8 m the number of air voxels, n = 0..4 along an axis, 0..2 on a diagonal
 *
 *   q = p + ((p - p⁻) + g Σ n (p_j - p))
 *
 * Where the air voxels are all those on some sides of the point (inside, at flat walls, and at edges and corners that
 * enclose the air) that is the full stencil with its neighbours mirrored at the walls. */
#ifndef AULA_SOLVER_SCHEMES_LEAPFROG_CORNERS_H
#define AULA_SOLVER_SCHEMES_LEAPFROG_CORNERS_H

#include "solver/schemes/leapfrog/row_sink.h"

enum { CORNER_VOXELS = 8, CORNER_NEIGHBOURS = 18 };

/* A face between a voxel of air at the point and another that is none. */
struct corner_face {
    uint8_t code, area; /* as in struct face_run; CELL_AIR: there is no face */
};

struct corner {
    unsigned
        pattern; /* bit dx + 2 dy + 4 dz: that voxel is air. 0: no point of the grid; also where a fixed face meets it
                    */
    struct corner_face faces[CORNER_VOXELS][3]; /* of each voxel of air, towards the one beside it along each axis */
};

/* Sets the pattern of a corner, whose faces are given, from the voxels that are air. */
void corner_settle(struct corner *c, unsigned air);

/* The corner with the lowest indices of the voxel `at`, of counts 0 .. voxels along each axis. */
struct corner corner_at(const struct voxel_set *v, const size_t at[3]);

/* Faces between air and the rest at the point, a quarter of each. */
struct row_wall corner_wall(const struct leapfrog_problem *l, const struct corner *c);

/* Sides of the point along an axis that have air: bit 0 the lower, bit 1 the upper. */
static inline unsigned corner_sides(unsigned pattern, int axis)
{
    static const unsigned lower[3] = {0x55u, 0x33u, 0x0fu};
    return (pattern & lower[axis] ? 1u : 0u) | (pattern & ~lower[axis] & 0xffu ? 2u : 0u);
}

/* Whether the air voxels are all those on some sides of the point: the stencil with mirrored neighbours. */
static inline bool corner_mirrors(unsigned pattern)
{
    const unsigned x = corner_sides(pattern, 0), y = corner_sides(pattern, 1), z = corner_sides(pattern, 2);
    return pattern &&
           __builtin_popcount(pattern) == __builtin_popcount(x) * __builtin_popcount(y) * __builtin_popcount(z);
}

/* Number of air voxels at the point that hold the neighbour at dx, dy, dz = -1, 0, 1 too. */
static inline unsigned corner_links(unsigned pattern, int dx, int dy, int dz)
{
    const unsigned x = dx < 0 ? 0x55u : dx ? 0xaau : 0xffu, y = dy < 0 ? 0x33u : dy ? 0xccu : 0xffu;
    const unsigned z = dz < 0 ? 0x0fu : dz ? 0xf0u : 0xffu;
    return (unsigned)__builtin_popcount(pattern & x & y & z);
}

/* A neighbour of a point whose neighbours are not mirrored, and how many voxels hold both. */
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
