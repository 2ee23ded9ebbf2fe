/* SPDX-License-Identifier: MIT */
/* The tiling plan of the boundary region: which points temporal blocks compute wrong, and which boundary tiles and
 * wall tiles compute them again. Made on the host. */
#ifndef AULA_CUDA_BOUNDARY_TILES_PLAN_CUH
#define AULA_CUDA_BOUNDARY_TILES_PLAN_CUH

#include <vector>

#include "cuda/step/branches.cuh"
#include "cuda/temporal/tile_parts.cuh"
#include "cuda/temporal/wall_tiles_plan.cuh"

struct cuda_state;

/* Limits of a boundary tile: threads, each of which has at most one point with branches; points that it loads;
 * values in shared memory, which are the points and a ring of zeros around them. */
enum { BOUNDARY_TILE_THREADS = 1024, BOUNDARY_TILE_POINTS_MAX = 8192, BOUNDARY_TILE_VALUES_MAX = 11600 };

/* Different shapes of tiles in a room. */
enum { BOUNDARY_TILE_SHAPES_MAX = 4096 };

/* A box of points that are written, and around it a halo of STEPS points, cut off at the edges of the grid. */
struct boundary_tile {
    int32_t from[3], size[3]; /* loaded */
    int32_t low[3], high[3];  /* written: points low .. high - 1 */
    uint32_t first_wall, wall_count, first_event, event_count;
    uint32_t shape;  /* tiles of one shape share their list of points */
    uint32_t states; /* of branches, in shared memory */
};

/* States of branches that fit beside the tile's values into a multiprocessor's shared memory, and of two halves. In
 * double precision the values of whole tiles leave room for few. */
static inline uint32_t boundary_tile_states_max(size_t real_bytes, bool half)
{
    return (real_bytes == sizeof(float) ? half ? 7000 : 14500 : half ? 7000 : 1200);
}

/* Within half of the limits. */
static inline bool boundary_tile_is_half(const boundary_tile &b, size_t real_bytes)
{
    const int points = b.size[0] * b.size[1] * b.size[2], values = (b.size[0] + 2) * (b.size[1] + 2) * (b.size[2] + 2);
    return points <= BOUNDARY_TILE_POINTS_MAX / 2 && values <= BOUNDARY_TILE_VALUES_MAX / 2 &&
           b.wall_count <= BOUNDARY_TILE_THREADS / 2 && b.states <= boundary_tile_states_max(real_bytes, true);
}

/* A point of a tile. */
struct boundary_point {
    uint32_t value; /* index among the tile's values, and halo << HALO_SHIFT */
    uint32_t at;    /* in the grid, from the tile's first point */
};

enum { HALO_SHIFT = 16, VALUE_MASK = 0xffff, NO_POINT = 0xffff /* the halo of what fills a list up */ };

/* A point with branches that a tile loads. A tile's are sorted by the number of branches, descending, so that the
 * threads of a warp have about as many. */
struct boundary_wall {
    uint32_t first_state; /* its state of the first branch; the next are BRANCH_THREADS apart */
    uint32_t kind;
    uint16_t at;     /* among the tile's values */
    uint16_t halo;   /* 0: this tile writes its states */
    uint32_t states; /* in shared memory: the warp's first; [branch][WARP_WALLS] */
};
enum { WARP_WALLS = 32 };

/* A drive that a tile loads, or a tap that it writes. */
struct boundary_event {
    tile_event event;
    uint32_t at, halo;
};

struct boundary_plan {
    std::vector<boundary_tile> tiles;
    std::vector<boundary_wall> walls;
    std::vector<boundary_event> events;
    bool fits; /* false: some points fit into no tile */
    std::vector<boundary_point>
        points;                   /* [shape][BOUNDARY_TILE_POINTS_MAX]; after the last of a shape, halo is NO_POINT */
    wall_tile_plan wall_tiles;    /* boundary tiles need not write these points */
    std::vector<uint64_t> solids; /* in the padded grid: points without air that a temporal block writes to */
};

/* Index of a point among the values of a tile. */
__host__ __device__ static inline int boundary_tile_value(const boundary_tile &b, int x, int y, int z)
{
    return ((z - b.from[2] + 1) * (b.size[1] + 2) + (y - b.from[1] + 1)) * (b.size[0] + 2) + (x - b.from[0] + 1);
}

/* How deep in the halo a point lies: distance to the points that the tile writes, along the axis where it is
 * largest; 0: written. */
__host__ __device__ static inline int boundary_tile_halo(const boundary_tile &b, int x, int y, int z)
{
    const int at[3] = {x, y, z};
    int halo = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int below = b.low[axis] - at[axis], above = at[axis] - (b.high[axis] - 1),
                  out = below > above ? below : above;
        halo = out > halo ? out : halo;
    }
    return halo;
}

/* For temporal blocks of `steps`; places: from branches_places. plan->fits is false, and the plan incomplete, where
 * some points fit into no tile, or boundary tiles would load more than loaded_max points, or a stop is
 * requested. */
void boundary_plan_make(boundary_plan *plan, const cuda_state *s, const std::vector<branch_place> &places, int steps,
                        uint64_t loaded_max);

#endif
