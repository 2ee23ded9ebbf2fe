/* SPDX-License-Identifier: MIT */
/* The tiling plan of flat walls with branches: wall tiles, each a rectangle of a wall and the points before it. Made
 * on the host. */
#ifndef AULA_CUDA_WALL_TILES_PLAN_CUH
#define AULA_CUDA_WALL_TILES_PLAN_CUH

#include <vector>

#include "cuda/grid/point_set.cuh"
#include "cuda/step/branches.cuh"

struct cuda_state;

/* Lanes of a tile, those of a warp; branches that a point of one may have. */
enum { WALL_TILE_LANES = 32, WALL_TILE_BRANCHES_MAX = 16 };

/* A rectangle [lines][WALL_TILE_LANES] of points of a flat wall, and 2 STEPS points of depth before each, counted
 * from the wall. It loads all of them, and writes lines STEPS .. lines - STEPS - 1, lanes first_lane .. end_lane - 1
 * and depths 0 .. STEPS - 1. */
struct wall_tile {
    int32_t from[3]; /* the wall's point of line 0 and lane 0 */
    int32_t lines;   /* loaded */
    uint32_t states; /* first of its [line][WALL_TILE_LANES] in first_states */
    uint32_t kind;
    uint8_t face;                 /* that the wall is at: x_min x_max y_min y_max z_min z_max */
    uint8_t first_lane, end_lane; /* written */
};

/* Branches that the kernel for walls of so many holds: the others add nothing. */
static inline unsigned wall_tile_branches_held(unsigned branches)
{
    return branches <= 4 ? 4 : branches <= 6 ? 6 : branches <= 8 ? 8 : branches <= 11 ? 11 : WALL_TILE_BRANCHES_MAX;
}

/* The axes of lanes and lines by the face of the wall: lanes along x where they can be, so that a warp loads
 * consecutive points. */
__host__ __device__ static inline int wall_tile_lane_axis(int face)
{
    return face < 2 ? 1 : 0;
}

__host__ __device__ static inline int wall_tile_line_axis(int face)
{
    return face < 4 ? 2 : 1;
}

struct wall_tile_plan {
    std::vector<wall_tile> tiles;       /* by the branches that their kernel holds, then by kind */
    std::vector<uint32_t> first_states; /* [tile][line][lane] as in branch_place; 0 in a halo that needs none */
};

/* Tiles for temporal blocks of `steps`. Each point with branches of a tile misses one face only, and all are of one
 * kind; the 2 STEPS - 2 points before it are regular air that no channel drives or taps. Of the boundary region there,
 * points up to STEPS - 1 before the wall, a tile writes all but its halo. places: from branches_places; first_place:
 * [rows + 1] the first of each row. */
wall_tile_plan wall_tile_plan_make(const cuda_state *s, int steps, const std::vector<branch_place> &places,
                                   const std::vector<size_t> &first_place);

/* Points of air in some rows that have neighbours across all of these faces at least; a fixed point counts as a
 * neighbour. */
void air_points(point_set &air, const cuda_state *s, unsigned links, const row_window &rows);

/* The points that a tile writes. */
box wall_tile_written(const wall_tile &one, int steps);

#endif
