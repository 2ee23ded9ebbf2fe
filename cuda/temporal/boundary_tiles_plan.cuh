/* Which bricks cover what a pass makes wrong around walls with branches and objects, but for what strips cover. */
#ifndef AULA_CUDA_BRICKS_PLAN_CUH
#define AULA_CUDA_BRICKS_PLAN_CUH

#include <vector>

#include "cuda/step/branches.cuh"
#include "cuda/temporal/tile_parts.cuh"
#include "cuda/temporal/wall_tiles_plan.cuh"

struct cuda_state;

/* Threads of a brick, of which each takes one point with branches; points and values (with a ring of zeros around them) that it loads, at most. */
enum { BRICK_THREADS = 1024, BRICK_POINTS = 8192, BRICK_VALUES = 11600 };

/* Bricks of points with more branches should be half as large. */
enum { BRANCHES_WHOLE = 8 };

/* Shapes of bricks in a room, at most. */
enum { BRICK_SHAPES = 4096 };

struct brick {
    int32_t from[3], size[3]; /* loaded */
    int32_t low[3], high[3];  /* written: points low .. high - 1 */
    uint32_t first_wall, wall_count, first_event, event_count;
    uint32_t shape;    /* bricks of one shape share their points */
    uint32_t branches; /* most of a point that it loads */
};

/* No more than half of what a brick may be. */
static inline bool brick_is_half(const brick &b)
{
    const int points = b.size[0] * b.size[1] * b.size[2], values = (b.size[0] + 2) * (b.size[1] + 2) * (b.size[2] + 2);
    return points <= BRICK_POINTS / 2 && values <= BRICK_VALUES / 2 && b.wall_count <= BRICK_THREADS / 2;
}

/* A point of a brick. */
struct brick_point {
    uint32_t value; /* among the brick's values, and its reach << BRICK_REACH */
    uint32_t at;    /* in the grid, from the brick's first */
};

enum { BRICK_REACH = 16, BRICK_VALUE = 0xffff, BRICK_NOWHERE = 0xffff /* reach of what is no point */ };

/* A point with branches that a brick loads. */
struct brick_wall {
    uint32_t pair; /* its state of the first branch; the next are BRANCH_THREADS apart */
    uint32_t kind;
    uint16_t at;    /* among the brick's values */
    uint16_t reach; /* how far outside what is written; 0: this brick keeps its states */
};

struct brick_kind {
    uint32_t first, count; /* factors */
    double weight;
    uint32_t heavy;
};

/* A drive that a brick loads, or a tap that it writes. */
struct brick_event {
    tile_event event;
    uint32_t at, reach;
};

struct brick_cover {
    std::vector<brick> bricks;
    std::vector<brick_wall> walls;
    std::vector<brick_event> events;
    bool fits; /* false: some points cannot be in any brick */
    std::vector<brick_point>
        points;       /* [shape][BRICK_POINTS]; beyond the last point of a shape, reach is BRICK_NOWHERE */
    strip_cover flat; /* what strips write, of which bricks need write nothing */
    std::vector<uint64_t>
        solids; /* points of the padded grid that are no air, and that a pass over the box of air writes something to */
};

/* Where a point of a brick is among its values. */
__host__ __device__ static inline int brick_value(const brick &b, int x, int y, int z)
{
    return ((z - b.from[2] + 1) * (b.size[1] + 2) + (y - b.from[1] + 1)) * (b.size[0] + 2) + (x - b.from[0] + 1);
}

/* How many points it is from what the brick writes, along the axis where it is most. */
__host__ __device__ static inline int brick_reach(const brick &b, int x, int y, int z)
{
    const int at[3] = {x, y, z};
    int most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int below = b.low[axis] - at[axis], above = at[axis] - (b.high[axis] - 1),
                  out = below > above ? below : above;
        most = out > most ? out : most;
    }
    return most;
}

/* `fits` is false, too, and the cover not complete, where bricks would load more points than loaded_max. */
int bricks_cover(brick_cover *cover, const cuda_state *s, int steps, uint64_t loaded_max, struct error *e);

#endif
