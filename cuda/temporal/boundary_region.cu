/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/boundary_region.cuh"

#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/engine/device.cuh"
#include "cuda/engine/in_phase.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/grid/launch.cuh"
#include "cuda/grid/own_planes.cuh"
#include "cuda/ptx.cuh"
#include "cuda/step/one_step.cuh"
#include "cuda/temporal/boundary_tiles.cuh"
#include "cuda/temporal/completion_flag.cuh"
#include "cuda/temporal/region_levels.cuh"
#include "cuda/temporal/temporal.cuh"
#include "cuda/temporal/wall_tiles.cuh"

/* The wall tiles of a kernel: `count` from the first on. */
struct wall_tile_launch {
    unsigned branches; /* that it holds */
    unsigned first, count;
};

struct boundary_region {
    int steps;
    bool fits; /* into shared memory and the limits of tiles; else it is dropped at once */
    boundary_tile *boundary_tiles;
    boundary_wall *walls;
    boundary_event *events;
    boundary_kind *kinds;
    boundary_point *points;
    unsigned first_of_kernel[BOUNDARY_TILE_KERNELS + 1]; /* of the boundary tiles, which are sorted by kernel */
    size_t bytes_of_kernel[BOUNDARY_TILE_KERNELS];       /* of shared memory */
    wall_tile *wall_tiles;
    uint32_t *wall_tile_first_states;
    std::vector<wall_tile_launch> wall_tile_launches;
    uint64_t *solids; /* points without air that a temporal block writes to: they are cleared */
    size_t solid_count;
    unsigned *complete;           /* completion flag of the temporal block */
    struct region_levels *levels; /* instead of tiles; or NULL */
};

namespace
{

/* Points of a plane, so that a boundary tile's offsets from its first point fit into 32 bits. */
const uint64_t PLANE_MAX = UINT32_MAX / 64;

unsigned branches_max(const struct branches *b)
{
    unsigned max = 0;
    for (size_t kind = 0; kind < b->kind_count; kind++)
        max = std::max(max, b->kinds[kind].count);
    return max;
}

template <typename REAL>
int prepare_boundary_tiles(struct boundary_region *b, const cuda_state *s, boundary_plan &plan, struct error *e)
{
    const struct branches *walls = &s->rows.branches;
    std::vector<boundary_kind> kinds;
    for (size_t i = 0; i < walls->kind_count; i++)
        kinds.push_back({walls->kinds[i].first, walls->kinds[i].count, walls->kinds[i].weight, walls->kinds[i].heavy});
    std::stable_sort(plan.tiles.begin(), plan.tiles.end(), [](const boundary_tile &a, const boundary_tile &b) {
        return boundary_tile_kernel_for<REAL>(a) < boundary_tile_kernel_for<REAL>(b);
    });
    uint32_t states[BOUNDARY_TILE_KERNELS] = {};
    for (const boundary_tile &one : plan.tiles) {
        const int of_tile = boundary_tile_kernel_for<REAL>(one);
        states[of_tile] = std::max(states[of_tile], one.states);
        for (int kernel = of_tile + 1; kernel <= BOUNDARY_TILE_KERNELS; kernel++)
            b->first_of_kernel[kernel]++;
    }
    for (int i = 0; i < BOUNDARY_TILE_KERNELS; i++) {
        const boundary_tile_kernel<REAL> &kernel = boundary_tile_kernels<REAL>(s->rows.stencil)[i];
        if (b->first_of_kernel[i + 1] == b->first_of_kernel[i])
            continue;
        b->bytes_of_kernel[i] = kernel.bytes + states[i] * sizeof(branch_state<REAL>);
        b->fits = b->fits && b->bytes_of_kernel[i] <= shared_memory_max();
        if (b->fits && allow_shared_memory((const void *)kernel.code, b->bytes_of_kernel[i], "walls", e))
            return -1;
    }
    return upload(&b->boundary_tiles, plan.tiles.data(), plan.tiles.size(), "walls", e) ||
           upload(&b->walls, plan.walls.data(), plan.walls.size(), "walls", e) ||
           upload(&b->events, plan.events.data(), plan.events.size(), "walls", e) ||
           upload(&b->kinds, kinds.data(), kinds.size(), "walls", e) ||
           upload(&b->points, plan.points.data(), plan.points.size(), "walls", e);
}

template <typename REAL>
int prepare_wall_tiles(struct boundary_region *b, const cuda_state *s, int steps, const wall_tile_plan &plan,
                       struct error *e)
{
    for (const wall_tile &one : plan.tiles) {
        const unsigned held = wall_tile_branches_held(s->rows.branches.kinds[one.kind].count);
        if (b->wall_tile_launches.empty() || b->wall_tile_launches.back().branches != held)
            b->wall_tile_launches.push_back({held, (unsigned)(&one - plan.tiles.data()), 0});
        b->wall_tile_launches.back().count++;
    }
    for (const wall_tile_launch &tiles : b->wall_tile_launches) {
        const wall_tile_kernel<REAL> kernel = wall_tile_kernel_for<REAL>(s->rows.stencil, steps, tiles.branches);
        b->fits = b->fits && kernel.bytes <= shared_memory_max();
        if (b->fits && allow_shared_memory((const void *)kernel.code, kernel.bytes, "walls", e))
            return -1;
    }
    return upload(&b->wall_tiles, plan.tiles.data(), plan.tiles.size(), "walls", e) ||
           upload(&b->wall_tile_first_states, plan.first_states.data(), plan.first_states.size(), "walls", e);
}

/* Points that boundary tiles may load. Without branches temporal blocks of the 7-point stencil can read the map
 * instead, which is faster where boundary tiles would load more than two fifths of the grid: a point of theirs takes
 * four times as long as one of a temporal block, and the map more than doubles the time of a temporal block with
 * objects in every tile. */
uint64_t loaded_max(const cuda_state *s)
{
    const size_t *n = s->layout.points;
    return s->branches.block_count || s->rows.stencil == STENCIL_19_POINT ? UINT64_MAX
                                                                          : 2 * (uint64_t)(n[0] * n[1] * n[2]) / 5;
}

int prepare_levels(struct boundary_region *b, cuda_state *s, int steps, struct error *e)
{
    b->steps = steps;
    b->fits = true;
    if (!own_planes(s->problem).has_halos())
        branches_share_states(&s->branches);
    else if (branches_set_up_second_states(&s->branches, s->problem->precision, e))
        return -1;
    return region_levels_make(&b->levels, s, steps, e);
}

template <typename REAL> int prepare_tiles(struct boundary_region *b, cuda_state *s, int steps, struct error *e)
{
    if (branches_set_up_second_states(&s->branches, s->problem->precision, e))
        return -1;
    boundary_plan plan;
    if (s->places.empty())
        s->places = branches_places(&s->rows, s->layout.pitch);
    boundary_plan_make(&plan, s, s->places, steps, loaded_max(s));
    b->steps = steps;
    b->fits = plan.fits;
    if (!b->fits)
        return 0;
    b->solid_count = plan.solids.size();
    return upload<unsigned>(&b->complete, nullptr, 1, "walls", e) ||
           upload(&b->solids, plan.solids.data(), plan.solids.size(), "walls", e) ||
           prepare_boundary_tiles<REAL>(b, s, plan, e) || prepare_wall_tiles<REAL>(b, s, steps, plan.wall_tiles, e);
}

/* Entries of levels have 32 bits for a point of the padded grid. */
bool levels_can_address(const struct layout *l)
{
    return (uint64_t)l->pitch * l->points[1] * l->points[2] <= UINT32_MAX;
}

} // namespace

bool boundary_region_needed(const cuda_state *s)
{
    return !s->spare && (s->branches.block_count || s->layout.irregular_count);
}

bool boundary_region_has_levels(const cuda_state *s)
{
    return boundary_region_needed(s) && one_step_of(s)->boundary.interior && levels_can_address(&s->layout);
}

/* By points at edges and stairs over those with branches: rooms of boxes have .01 to .04, and are faster by tiles;
 * rooms from meshes have .1 to .3, and are faster by levels. Without branches over irregular points. */
enum region_form boundary_region_likely_in(const struct layout *l, const struct rows *rows)
{
    const uint64_t at_walls = std::max<uint64_t>(rows->branches.point_count, l->irregular_points);
    return l->edge_points > at_walls / 16 ? REGION_BY_LEVELS : REGION_BY_TILES;
}

enum region_form boundary_region_likely(const cuda_state *s)
{
    return boundary_region_has_levels(s) ? boundary_region_likely_in(&s->layout, &s->rows) : REGION_BY_TILES;
}

enum region_form boundary_region_form(const struct boundary_region *b)
{
    return !b ? REGION_FASTEST : b->levels ? REGION_BY_LEVELS : REGION_BY_TILES;
}

int boundary_region_grids(const struct problem *p, const struct layout *l, const struct rows *rows,
                          enum region_form asked, int steps)
{
    const bool some = l->irregular_count || rows->branches.point_count;
    const enum region_form form = asked ? asked : boundary_region_likely_in(l, rows);
    return some && form == REGION_BY_LEVELS && levels_can_address(l) ? region_levels_grids(p, steps) : 0;
}

const char *boundary_region_refusal(const struct rows *rows)
{
    const unsigned branches = branches_max(&rows->branches);
    /* blocks of a kind's points are full but for two */
    const uint64_t states =
        rows->branches.state_count / 2 + rows->branches.kind_count * (uint64_t)(2 * BRANCH_THREADS * branches);
    if (!rows->branches.point_count)
        return nullptr;
    return states > UINT32_MAX || rows->nx * rows->ny > PLANE_MAX
               ? "so large a grid with branches at its walls is stepped one step at a time"
               : nullptr;
}

int boundary_region_set_up(struct temporal_state *t, cuda_state *s, int steps, bool *fit, struct error *e)
{
    const size_t *n = s->layout.points;
    const bool levels =
        boundary_region_has_levels(s) && (t->region ? t->region : boundary_region_likely(s)) == REGION_BY_LEVELS;
    *fit = !boundary_region_needed(s) || levels || (n[0] * n[1] <= PLANE_MAX && !(t->no_boundary_region >> steps & 1));
    if (!boundary_region_needed(s) || !*fit)
        return 0;
    if (!t->boundary_region || t->boundary_region->steps != steps || !t->boundary_region->levels == levels) {
        const in_phase planning("planning the tiles at walls");
        boundary_region_drop(t->boundary_region);
        t->boundary_region = new boundary_region();
        if ((!s->map && setup_map(s, e)) ||
            (levels                                      ? prepare_levels(t->boundary_region, s, steps, e)
             : s->problem->precision == PRECISION_DOUBLE ? prepare_tiles<double>(t->boundary_region, s, steps, e)
                                                         : prepare_tiles<float>(t->boundary_region, s, steps, e))) {
            boundary_region_drop(t->boundary_region); /* half of one is none */
            t->boundary_region = nullptr;
            return -1;
        }
    }
    *fit = t->boundary_region->fits;
    if (!*fit) {
        t->no_boundary_region |= 1u << steps;
        boundary_region_drop(t->boundary_region);
        t->boundary_region = nullptr;
    }
    return 0;
}

uint64_t boundary_region_device_bytes(const struct layout *l, const struct rows *rows, enum precision precision)
{
    /* a point with branches is loaded by two boundary tiles of a box and by eight of a curved wall, where more
     * shapes differ, too; behind each irregular point STEPS points are cleared, and more beside edges */
    const uint64_t walls = rows->branches.point_count, points = walls + l->irregular_points;
    const uint64_t shapes = std::min<uint64_t>(64 + points / 200, BOUNDARY_TILE_SHAPES_MAX),
                   solids = 8 * (uint64_t)l->irregular_points;
    const uint64_t second_states = walls ? branches_device_bytes(rows, precision, false) : 0;
    const uint64_t for_walls = 8 * walls * sizeof(boundary_wall) + 3 * walls * sizeof(uint32_t);
    const uint64_t by_tiles =
        for_walls + shapes * BOUNDARY_TILE_POINTS_MAX * sizeof(boundary_point) + solids * sizeof(uint64_t);
    return points ? second_states + std::max(by_tiles, region_levels_device_bytes(l, points, precision)) : 0;
}

unsigned *boundary_region_completion_flag(const struct boundary_region *b)
{
    return b->complete;
}

void boundary_region_drop(struct boundary_region *b)
{
    if (!b)
        return;
    cudaFree(b->boundary_tiles);
    cudaFree(b->walls);
    cudaFree(b->events);
    cudaFree(b->kinds);
    cudaFree(b->points);
    cudaFree(b->wall_tiles);
    cudaFree(b->wall_tile_first_states);
    cudaFree(b->solids);
    region_levels_drop(b->levels);
    cudaFree(b->complete);
    delete b;
}

namespace
{

template <typename REAL> struct clearing {
    REAL *next, *next_before;
    const uint64_t *solids;
    size_t count;
    unsigned *complete;
};

/* Blocks for any number of points: enough to fill the memory's queues. */
enum { CLEARING_BLOCKS_MAX = 132 };

/* The first kernel after a temporal block: sets the completion flag, for which the kernels after it wait. */
template <typename REAL> __global__ void clear_solids(const clearing<REAL> c)
{
    release_next_kernel();
    wait_for_previous_kernel();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        set_completion_flag(c.complete);
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < c.count; i += (size_t)gridDim.x * blockDim.x)
        c.next[c.solids[i]] = c.next_before[c.solids[i]] = REAL(0);
}

template <typename REAL>
void enqueue_boundary_tiles(const struct boundary_region *b, boundary_tile_arguments<REAL> arguments,
                            const cuda_state *s)
{
    for (int i = 0; i < BOUNDARY_TILE_KERNELS; i++) {
        const unsigned count = b->first_of_kernel[i + 1] - b->first_of_kernel[i];
        const boundary_tile_kernel<REAL> &kernel = boundary_tile_kernels<REAL>(s->rows.stencil)[i];
        arguments.tiles = b->boundary_tiles + b->first_of_kernel[i];
        if (count)
            launch_overlapping(kernel.code,
                               {dim3(count), dim3((unsigned)kernel.threads), s->stream, b->bytes_of_kernel[i]},
                               arguments);
    }
}

template <typename REAL>
void enqueue_wall_tiles(const struct boundary_region *b, const boundary_tile_arguments<REAL> &all, const cuda_state *s)
{
    wall_tile_arguments<REAL> arguments;
    memset(&arguments, 0, sizeof arguments);
    arguments.now = all.now;
    arguments.before = all.before;
    arguments.next = all.field.next;
    arguments.next_before = all.field.next_before;
    arguments.pitch = all.field.pitch;
    arguments.plane = all.field.plane;
    arguments.side = all.field.side;
    arguments.centre = REAL(2) - REAL(6) * arguments.side;
    arguments.complete = all.complete;
    arguments.wall_centre = REAL(2) - REAL(5) * arguments.side;
    arguments.first_states = b->wall_tile_first_states;
    arguments.states_in = all.states_in;
    arguments.states_out = all.states_out;
    arguments.kinds = all.kinds;
    arguments.factors = all.factors;
    for (const wall_tile_launch &tiles : b->wall_tile_launches) {
        const wall_tile_kernel<REAL> kernel = wall_tile_kernel_for<REAL>(s->rows.stencil, all.steps, tiles.branches);
        arguments.tiles = b->wall_tiles + tiles.first;
        arguments.tile_count = tiles.count;
        launch_overlapping(kernel.code,
                           {dim3((tiles.count + kernel.warps - 1) / kernel.warps), dim3(WALL_TILE_LANES, kernel.warps),
                            s->stream, kernel.bytes},
                           arguments);
    }
}

} // namespace

template <typename REAL>
void boundary_region_enqueue(const struct boundary_region *b, const cuda_state *s, const temporal_block<REAL> &block,
                             int steps, int phase, int pair_of_grids)
{
    if (b->levels)
        return region_levels_enqueue(b->levels, s, block, phase, pair_of_grids);
    boundary_tile_arguments<REAL> all;
    memset(&all, 0, sizeof all);
    all.now = (const REAL *)s->grids[grid_in(s, pair_of_grids, phase)];
    all.before = (const REAL *)s->grids[grid_in(s, pair_of_grids, phase - 1)];
    all.steps = steps;
    all.walls = b->walls;
    all.events = b->events;
    all.kinds = b->kinds;
    all.points = b->points;
    all.code_count = (int)s->layout.code_count;
    all.factors = (const branch_factors_device<REAL> *)s->branches.factors;
    all.states_in = (const branch_state<REAL> *)s->branches.states[pair_of_grids];
    all.states_out = (branch_state<REAL> *)s->branches.states[!pair_of_grids];
    all.field = block;
    all.complete = b->complete;
    const clearing<REAL> solids = {block.next, block.next_before, b->solids, b->solid_count, b->complete};
    launch_overlapping(
        clear_solids<REAL>,
        {dim3((unsigned)std::min<size_t>(b->solid_count / 1024 + 1, CLEARING_BLOCKS_MAX)), dim3(256), s->stream},
        solids);
    enqueue_wall_tiles<REAL>(b, all, s);
    enqueue_boundary_tiles<REAL>(b, all, s);
}

template void boundary_region_enqueue<float>(const struct boundary_region *, const cuda_state *,
                                             const temporal_block<float> &, int, int, int);
template void boundary_region_enqueue<double>(const struct boundary_region *, const cuda_state *,
                                              const temporal_block<double> &, int, int, int);
