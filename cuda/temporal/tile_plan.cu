/* SPDX-License-Identifier: MIT */
/* The plan of a temporal block: columns, chunks and events of all tiles, on the device. */
#include "cuda/temporal/temporal.cuh"

#include <algorithm>
#include <cstring>

#include "cuda/engine/device.cuh"
#include "cuda/engine/halos.cuh"
#include "cuda/temporal/event_boxes.cuh"
#include "cuda/temporal/region_levels.cuh"
#include "cuda/temporal/tile_cut.cuh"

extern "C" {
#include "base/stop.h"
}

struct tile_plan {
    const struct tile_kernel *kernel;
    enum tile_walls walls;
    int column_count, chunk, chunks, across, cluster[2]; /* cluster: tiles along x and y */
    bool has_region;                                     /* the boundary region is stepped again after a block */
    int slab;                                            /* chunks per launch: all unless in place */
    size_t bytes;                                        /* bytes of shared memory */
    tile_chunk *listed;          /* chunks with air; NULL: all chunks of all columns are stepped */
    int listed_count, far_count; /* the first far_count of them read no plane of a halo */
    unsigned
        giving_count;  /* number of chunks that write planes to be sent and count, if only these write them; else 0 */
    bool leaves_halos; /* halos are left unchanged, and must be received after the block */
    bool waits_inside; /* the others leave room for the kernels that receive halos, however long they wait */
    tile_column *columns;
    uint8_t *flags;
    tile_event *events;
    uint32_t *first_events;
    unsigned events_max;
    event_boxes boxes;             /* in place of events */
    size_t box_values;             /* of a level of the largest of them */
    CUtensorMap now[4], before[4]; /* by grid */

    /* Whether some tiles read a halo and others do not. */
    bool is_divided() const
    {
        return far_count > 0 && far_count < listed_count;
    }
};

namespace
{

/* --- tensor maps of the grids --- */

/* For boxes of width * height * 1 points. */
int encode_grid(CUtensorMap *map, const cuda_state *s, void *grid, int width, int height, struct error *e)
{
    static const auto encode = DRIVER_FUNCTION(cuTensorMapEncodeTiled);
    const struct layout *l = &s->layout;
    const bool wide = s->problem->precision == PRECISION_DOUBLE;
    const cuuint64_t points[3] = {l->points[0], l->points[1], l->points[2]},
                     row = l->pitch * precision_bytes(s->problem->precision);
    const cuuint64_t strides[2] = {row, row * l->points[1]};
    const cuuint32_t box[3] = {(cuuint32_t)width, (cuuint32_t)height, 1}, each[3] = {1, 1, 1};
    if (!encode)
        return fail(e, ERROR_DEVICE,
                    "the NVIDIA driver does not support tensor maps; update the driver, or use --kernel room");
    const CUresult status =
        encode(map, wide ? CU_TENSOR_MAP_DATA_TYPE_FLOAT64 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, grid, points, strides,
               box, each, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return status == CUDA_SUCCESS
               ? 0
               : fail(e, ERROR_DEVICE, "cannot create a tensor map of the grid (error %d)", (int)status);
}

int encode_grids(struct tile_plan *plan, const cuda_state *s, struct error *e)
{
    const struct tile_kernel *k = plan->kernel;
    for (int i = 0; i < 4; i++)
        if (encode_grid(&plan->now[i], s, s->grids[i], k->width + 2 * k->halo_columns, k->height + 2, e) ||
            encode_grid(&plan->before[i], s, s->grids[i], k->width, k->height, e))
            return -1;
    return 0;
}

/* --- the plan --- */

/* map: some tile reads the map, or needs the code for arbitrary ends. */
enum tile_walls walls_of(const struct layout *l, const struct tile_kernel *k, bool map)
{
    enum tile_walls walls = l->missing == STATES - 1 ? WALLS_RIGID : WALLS_FIXED;
    for (unsigned state = 0; state < STATES; state++)
        if (l->states[state & l->missing].weight > 0.0)
            walls = WALLS_ABSORBING;
    if (tile_cut_splits(l, k))
        walls = walls == WALLS_ABSORBING ? WALLS_ANY : WALLS_SPLIT;
    return map ? WALLS_ANY : walls;
}

int upload_cut(struct tile_plan *plan, const tile_cut &cut, struct error *e)
{
    plan->listed_count = (int)cut.chunks.size();
    plan->far_count = (int)cut.far_chunks;
    return (plan->listed_count && upload(&plan->listed, cut.chunks.data(), cut.chunks.size(), "tiles", e)) ||
           upload(&plan->columns, cut.columns.data(), cut.columns.size(), "tiles", e) ||
           upload(&plan->flags, cut.flags.data(), cut.flags.size(), "tiles", e) ||
           upload(&plan->events, cut.events.data(), cut.events.size(), "tiles", e) ||
           upload(&plan->first_events, cut.first_events.data(), cut.first_events.size(), "tiles", e);
}

int upload_event_boxes(struct tile_plan *plan, const event_boxes_plan &boxes, struct error *e)
{
    event_box *list = nullptr;
    box_event *events = nullptr;
    const int status = upload(&list, boxes.boxes.data(), boxes.boxes.size(), "tiles", e) ||
                       upload(&events, boxes.events.data(), boxes.events.size(), "tiles", e) ||
                       upload<unsigned>(&plan->boxes.arrived, nullptr, boxes.boxes.size(), "tiles", e);
    plan->boxes.boxes = list;
    plan->boxes.events = events;
    plan->boxes.count = (unsigned)boxes.boxes.size();
    plan->boxes.first_driven = boxes.first_driven;
    plan->boxes.blocks = boxes.blocks;
    plan->box_values = boxes.values;
    return status;
}

/* Largest number of points with sources or receivers that tiles handle themselves rather than in
 * a separate launch: with the eight receivers on points of Webb's grid, that is faster. */
enum { EVENTS_OF_TILES_MAX = 64 };

/* Plans sources and receivers, in boxes of their own or in the tiles that contain them. Boxes
 * read no map. */
void plan_events(event_boxes_plan *boxes, tile_cut &cut, const cuda_state *s, const struct tile_kernel *k,
                 bool has_region)
{
    *boxes = {};
    const size_t points = s->tap_history->points.size() + s->drive_at.size();
    const bool few = !event_boxes_in_launch(k) && points <= EVENTS_OF_TILES_MAX;
    if (!few && !s->spare && (has_region || !s->layout.irregular_count))
        event_boxes_make(boxes, s, k, cut, event_boxes_idle(k, cut, (int)s->layout.points[2]));
    if (!boxes->blocks) {
        tile_cut_list_events(cut, s, k);
        *boxes = {};
    } else
        cut.first_events.assign(cut.columns.size() * (s->layout.points[2] + 1), 0);
}

/* Whether a quarter of the multiprocessors stay free for the kernels that receive halos while
 * all thread blocks that wait for halos are waiting, so that four of a cluster are always free
 * (docs/design/parallel.md P17). */
bool can_wait_inside(const struct tile_plan *plan)
{
    const int cluster = plan->cluster[0] * plan->cluster[1], all = multiprocessors();
    const int at_once = plan->kernel->halo_columns ? cluster * plan->kernel->at_once(cluster, plan->bytes) : all;
    const int waiting = plan->listed_count - plan->far_count + (int)plan->boxes.blocks;
    return waiting <= std::min(at_once, all) - all / 4;
}

/* The planes at which the lower halo ends and the upper one begins. */
halo_gate halos_of(const cuda_state *s)
{
    const own_planes own(s->problem);
    halo_gate gate = {};
    gate.below_end = own.first > 0 ? own.first : INT_MIN;
    gate.above_first = own.end < own.count ? own.end : INT_MAX;
    return gate;
}

/* Number of thread blocks that read halos, which are the ones that write planes to be sent:
 * docs/design/parallel.md (P18). */
unsigned count_giving(const tile_cut &cut, const halo_gate &halos, int steps)
{
    return (unsigned)std::count_if(cut.chunks.begin(), cut.chunks.end(),
                                   [&](const tile_chunk &c) { return reads_halo(halos, c.z0 - steps, c.z1 + steps); });
}

/* Sets t->plan from a complete cut. If it does not fit, returns 0 with t->plan NULL. */
int make_plan(struct temporal_state *t, cuda_state *s, const struct tile_kernel *kernel, const tile_cut &cut,
              const event_boxes_plan &boxes, bool has_region, struct error *e)
{
    const int chunk = cut.chunk;
    const int nz = (int)s->layout.points[2], count = (int)cut.columns.size(), chunks = (nz + chunk - 1) / chunk;
    const size_t bytes = kernel->bytes(chunk, cut.events_max);
    const uint64_t plane_bytes = s->layout.pitch * s->layout.points[1] * precision_bytes(s->problem->precision);
    if (bytes > shared_memory_max() || cut.events_max > UINT16_MAX || plane_bytes >> 32 ||
        (int64_t)count * chunks > INT32_MAX)
        return 0;
    const bool map = std::any_of(cut.columns.begin(), cut.columns.end(), [](const tile_column &c) { return c.map; });
    if (map && kernel->stencil == STENCIL_7_POINT && !s->map && setup_map(s, e))
        return -1;
    struct tile_plan *plan = t->plan = new tile_plan();
    plan->kernel = kernel;
    plan->has_region = has_region;
    plan->walls = walls_of(&s->layout, kernel, map);
    plan->column_count = count;
    plan->chunk = chunk;
    plan->chunks = chunks;
    plan->slab = s->spare ? cut.slab : chunks;
    plan->across = cut.across;
    memcpy(plan->cluster, cut.cluster, sizeof plan->cluster);
    plan->bytes = bytes;
    plan->events_max = (unsigned)cut.events_max;
    if (encode_grids(plan, s, e) || upload_cut(plan, cut, e) || upload_event_boxes(plan, boxes, e) ||
        kernel->prepare(shared_memory_max(), e) ||
        (boxes.blocks && !event_boxes_in_launch(kernel) && event_boxes_prepare(s->problem->precision, boxes.values, e)))
        return -1;
    plan->waits_inside = can_wait_inside(plan);
    plan->leaves_halos = !s->spare && tile_chunks_leave_halos(own_planes(s->problem), kernel);
    if (plan->leaves_halos && !has_region && !boxes.blocks && kernel->stencil == STENCIL_7_POINT &&
        !s->branches.block_count && !s->layout.irregular_count)
        plan->giving_count = count_giving(cut, halos_of(s), kernel->steps);
    return 0;
}

/* --- launches --- */

template <typename REAL>
void fill_block(temporal_block<REAL> *block, const struct temporal_state *t, const cuda_state *s, int phase,
                int pair_of_grids, int offset)
{
    const struct tile_plan *plan = t->plan;
    const struct layout *l = &s->layout;
    memset(block, 0, sizeof *block);
    describe_grid<REAL>(block, s);
    describe_drives(block, s, offset);
    block->now = (const REAL *)s->grids[grid_in(s, pair_of_grids, phase)];
    block->before = (const REAL *)s->grids[grid_in(s, pair_of_grids, phase - 1)];
    block->next = (REAL *)s->grids[grid_in(s, !pair_of_grids, phase + plan->kernel->steps)];
    block->next_before = (REAL *)s->grids[grid_in(s, !pair_of_grids, phase + plan->kernel->steps - 1)];
    for (int i = 0; i < STATES; i++)
        block->states[i] = {REAL(2) - REAL(l->states[i].links) * block->side, (REAL)l->states[i].weight};
    block->columns = plan->columns;
    block->flags = plan->flags;
    block->column_count = plan->column_count;
    block->chunk = plan->chunk;
    block->chunks = plan->listed;
    block->across = plan->across;
    memcpy(block->cluster, plan->cluster, sizeof block->cluster);
    block->events = plan->events;
    block->first_events = plan->first_events;
    block->events_max = plan->events_max;
    block->tap_history = t->taps.levels;
    block->tap_history_stride = HISTORY_LEVELS;
    block->boxes = plan->boxes;
}

/* A temporal block from p^n, n = phase, of a pair of grids. */
template <typename REAL> struct planned_block {
    const struct temporal_state *t;
    cuda_state *s;
    int phase, pair_of_grids;
    temporal_block<REAL> arguments;

    planned_block(const struct temporal_state *t_, cuda_state *s_, int phase_, int pair, int offset)
        : t(t_), s(s_), phase(phase_), pair_of_grids(pair)
    {
        fill_block(&arguments, t, s, phase, pair_of_grids, offset);
        arguments.halos = halos_of(s);
    }

    /* Called right before all tiles are launched: the stream waits for their count. */
    void count_written()
    {
        if (t->plan->giving_count)
            halos_count_written(s, t->plan->giving_count, &arguments.halos);
    }

    void launch(const temporal_block<REAL> &block, unsigned blocks, cudaStream_t stream) const
    {
        const struct tile_plan *plan = t->plan;
        plan->kernel->launch(&plan->now[grid_in(s, pair_of_grids, phase)],
                             &plan->before[grid_in(s, pair_of_grids, phase - 1)], &block, plan->walls, blocks,
                             plan->bytes, stream);
    }

    /* In place, pair 1 is below pair 0: a block to pair 1 begins with the lowest planes, a block
     * to pair 0 with the highest. */
    void launch_tiles()
    {
        const struct tile_plan *plan = t->plan;
        const int launches = (plan->chunks + plan->slab - 1) / plan->slab;
        const unsigned boxes = event_boxes_in_launch(plan->kernel) ? plan->boxes.blocks : 0;
        count_written();
        for (int i = 0; i < launches; i++) {
            arguments.first_chunk = (pair_of_grids ? launches - 1 - i : i) * plan->slab;
            const int chunks = std::min(plan->slab, plan->chunks - arguments.first_chunk);
            const unsigned tiles = (unsigned)(plan->listed ? plan->listed_count : plan->column_count * chunks);
            launch(arguments, tiles + boxes, s->stream);
        }
    }

    /* Launches all tiles together; those that read a halo wait for it. False: they must not wait.
     *
     * The neighbour has read the values in the planes sent before the last exchange: tiles that
     * write there wait for the neighbour's planes of the last block, which it has computed from the
     * values that it read. */
    bool launch_tiles_that_wait()
    {
        const struct tile_plan *plan = t->plan;
        if (!plan->listed || !halos_await(s, plan->waits_inside, &arguments.halos))
            return false;
        launch_tiles();
        arguments.halos.taken = nullptr;
        return true;
    }

    /* Launches the tiles that read no plane of a halo and, concurrently, those that do. Event
     * boxes that wait for tiles of their launch have a launch of their own after both, or they
     * could occupy the multiprocessors of tiles that they wait for. */
    int launch_tiles_beside_halos(struct error *e)
    {
        const struct tile_plan *plan = t->plan;
        count_written();
        temporal_block<REAL> far = arguments, near = arguments;
        cudaStream_t stream;
        far.boxes.blocks = near.boxes.blocks = 0;
        near.chunks += plan->far_count;
        if (halos_begin_near(s, &stream, e)) /* it may follow work enqueued earlier */
            return -1;
        launch(far, (unsigned)plan->far_count, s->stream);
        launch(near, (unsigned)(plan->listed_count - plan->far_count), stream);
        if (halos_end_near(s, e))
            return -1;
        if (event_boxes_in_launch(plan->kernel) && plan->boxes.blocks)
            launch(arguments, plan->boxes.blocks, s->stream);
        return 0;
    }

    int launch_rest(struct error *e) const
    {
        const struct tile_plan *plan = t->plan;
        if (plan->boxes.blocks && !event_boxes_in_launch(plan->kernel))
            event_boxes_launch<REAL>(arguments, plan->kernel->steps, plan->box_values, s->stream);
        if (plan->has_region)
            region_levels_enqueue<REAL>(t->region, s, arguments, phase, pair_of_grids);
        return cuda_check(cudaGetLastError(), temporal_blocks.name, e);
    }
};

template <typename REAL>
int enqueue(const struct temporal_state *t, cuda_state *s, int phase, int pair_of_grids, int offset, struct error *e)
{
    planned_block<REAL> block(t, s, phase, pair_of_grids, offset);
    if (s->halo_streams.taking && block.launch_tiles_that_wait())
        return block.launch_rest(e);
    if (s->halo_streams.taking && t->plan->is_divided())
        return block.launch_tiles_beside_halos(e) ? -1 : block.launch_rest(e);
    if (halos_wait(s, e))
        return -1;
    block.launch_tiles();
    return block.launch_rest(e);
}

} // namespace

const struct tile_kernel *tile_kernels(const struct problem *p)
{
    const bool wide = p->precision == PRECISION_DOUBLE;
    if (leapfrog_of(p)->stencil == STENCIL_19_POINT)
        return wide ? tile19_kernels_double : tile19_kernels_single;
    return wide ? tile_kernels_double : tile_kernels_single;
}

void tile_plan_drop(struct temporal_state *t, cuda_state *s)
{
    temporal_drop_graphs(t, s);
    t->taps.kept = false;
    if (!t->plan)
        return;
    cudaFree(t->plan->listed);
    cudaFree(t->plan->columns);
    cudaFree(t->plan->flags);
    cudaFree(t->plan->events);
    cudaFree(t->plan->first_events);
    cudaFree((void *)t->plan->boxes.boxes);
    cudaFree((void *)t->plan->boxes.events);
    cudaFree(t->plan->boxes.arrived);
    delete t->plan;
    t->plan = nullptr;
}

int tile_plan_set_up(struct temporal_state *t, cuda_state *s, const struct tile_kernel *kernel, bool *made,
                     struct error *e)
{
    const in_phase planning("planning the tiles");
    const bool has_region = region_levels_needed(s);
    tile_plan_drop(t, s);
    *made = false;
    if (s->layout.from[0] >= s->layout.to[0])
        return 0; /* no air */
    tile_cut cut = tile_cut_best(t, s, kernel);
    if (cut.columns.empty() || tile_launch_max(s, kernel) < std::max(1, t->tile_chunk))
        return 0;
    if ((has_region && region_levels_set_up(&t->region, s, kernel->steps, e)) ||
        stop_check(e)) /* a plan cut short is not used */
        return -1;
    tile_cut_flag(cut, &s->layout, kernel, !has_region);
    event_boxes_plan boxes;
    plan_events(&boxes, cut, s, kernel, has_region);
    if (make_plan(t, s, kernel, cut, boxes, has_region, e))
        return -1;
    *made = t->taps.kept = t->plan != nullptr;
    return t->plan ? cuda_check(cudaDeviceSynchronize(), "tiles", e)
                   : 0; /* the steps' stream does not wait for the default stream */
}

const struct tile_kernel *tile_plan_kernel(const struct temporal_state *t)
{
    return t->plan ? t->plan->kernel : nullptr;
}

int tile_plan_chunk(const struct temporal_state *t)
{
    return t->plan ? t->plan->chunk : 0;
}

bool tile_plan_hides_halos(const struct temporal_state *t, const cuda_state *s)
{
    const struct tile_plan *plan = t->plan;
    if (!plan || !plan->listed)
        return false;
    return halos_may_be_awaited(s, plan->waits_inside) || plan->is_divided();
}

bool tile_plan_leaves_halos(const struct temporal_state *t)
{
    return t->plan && t->plan->leaves_halos;
}

int tile_plan_enqueue(const struct temporal_state *t, cuda_state *s, int phase, int pair_of_grids, int offset,
                      struct error *e)
{
    return s->problem->precision == PRECISION_DOUBLE ? enqueue<double>(t, s, phase, pair_of_grids, offset, e)
                                                     : enqueue<float>(t, s, phase, pair_of_grids, offset, e);
}
