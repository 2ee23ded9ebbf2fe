/* Around walls with branches and objects: sets up bricks and strips, and launches them after a pass. */
#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/engine/device.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/grid/launch.cuh"
#include "cuda/ptx.cuh"
#include "cuda/temporal/boundary_region.cuh"
#include "cuda/temporal/boundary_tiles.cuh"
#include "cuda/temporal/completion_flag.cuh"
#include "cuda/temporal/wall_tiles.cuh"

/* The strips of a kind of wall. */
struct strip_kind {
    uint32_t kind;
    unsigned first, count;
};

struct shell {
    int steps;
    bool fits; /* else it is dropped at once */
    brick *bricks;
    brick_wall *walls;
    brick_event *events;
    brick_kind *kinds;
    brick_point *points;
    unsigned first[BRICK_KERNELS + 1]; /* of the bricks, by the kernel that steps them */
    strip *strips;
    uint32_t *strip_pairs;
    std::vector<strip_kind> strip_kinds;
    uint64_t *solids; /* points that stay 0 */
    size_t solid_count;
    unsigned *ended; /* whether the pass has: what begins before waits for it */
};

namespace
{

/* Points of a plane so that a brick's are within 32 bits of its first. */
const uint64_t PLANE_MAX = UINT32_MAX / 64;

unsigned branches_max(const struct branches *b)
{
    unsigned most = 0;
    for (size_t kind = 0; kind < b->kind_count; kind++)
        most = std::max(most, b->kinds[kind].count);
    return most;
}

template <typename REAL> int prepare_bricks(struct shell *b, const cuda_state *s, brick_cover &cover, struct error *e)
{
    const struct branches *walls = &s->rows.branches;
    std::vector<brick_kind> kinds;
    for (size_t i = 0; i < walls->kind_count; i++)
        kinds.push_back({walls->kinds[i].first, walls->kinds[i].count, walls->kinds[i].weight, walls->kinds[i].heavy});
    std::stable_sort(cover.bricks.begin(), cover.bricks.end(), [](const brick &a, const brick &b) {
        return brick_kernel_for<REAL>(a) < brick_kernel_for<REAL>(b);
    });
    for (const brick &one : cover.bricks)
        for (int kernel = brick_kernel_for<REAL>(one) + 1; kernel <= BRICK_KERNELS; kernel++)
            b->first[kernel]++;
    for (int i = 0; i < BRICK_KERNELS; i++) {
        const brick_kernel<REAL> &kernel = brick_kernels<REAL>()[i];
        if (b->first[i + 1] == b->first[i])
            continue;
        b->fits = b->fits && kernel.bytes <= shared_memory_max();
        if (b->fits && cuda_check(cudaFuncSetAttribute(kernel.code, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       (int)kernel.bytes),
                                  "walls", e))
            return -1;
    }
    return upload(&b->bricks, cover.bricks.data(), cover.bricks.size(), "walls", e) ||
           upload(&b->walls, cover.walls.data(), cover.walls.size(), "walls", e) ||
           upload(&b->events, cover.events.data(), cover.events.size(), "walls", e) ||
           upload(&b->kinds, kinds.data(), kinds.size(), "walls", e) ||
           upload(&b->points, cover.points.data(), cover.points.size(), "walls", e);
}

template <typename REAL>
int prepare_strips(struct shell *b, const cuda_state *s, int steps, const strip_cover &cover, struct error *e)
{
    for (const strip &one : cover.strips) {
        if (b->strip_kinds.empty() || b->strip_kinds.back().kind != one.kind)
            b->strip_kinds.push_back({one.kind, (unsigned)(&one - cover.strips.data()), 0});
        b->strip_kinds.back().count++;
    }
    for (const strip_kind &kind : b->strip_kinds) {
        const strip_kernel<REAL> kernel = strip_kernel_for<REAL>(steps, s->rows.branches.kinds[kind.kind].count);
        b->fits = b->fits && kernel.bytes <= shared_memory_max();
        if (b->fits && cuda_check(cudaFuncSetAttribute(kernel.code, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       (int)kernel.bytes),
                                  "walls", e))
            return -1;
    }
    return upload(&b->strips, cover.strips.data(), cover.strips.size(), "walls", e) ||
           upload(&b->strip_pairs, cover.pairs.data(), cover.pairs.size(), "walls", e);
}

/* Without branches the pass could read the map instead, which is faster where bricks would load more than two fifths of the grid: they take four times as
 * long a point as a pass does, and the map more than doubles the time of a pass where there are objects in every tile. */
uint64_t loaded_max(const cuda_state *s)
{
    const size_t *n = s->layout.points;
    return s->branches.block_count ? UINT64_MAX : 2 * (uint64_t)(n[0] * n[1] * n[2]) / 5;
}

template <typename REAL> int prepare(struct shell *b, const cuda_state *s, int steps, struct error *e)
{
    brick_cover cover;
    if (bricks_cover(&cover, s, steps, loaded_max(s), e))
        return -1;
    b->steps = steps;
    b->fits = cover.fits;
    if (!b->fits)
        return 0;
    b->solid_count = cover.solids.size();
    return upload<unsigned>(&b->ended, nullptr, 1, "walls", e) ||
           upload(&b->solids, cover.solids.data(), cover.solids.size(), "walls", e) ||
           prepare_bricks<REAL>(b, s, cover, e) || prepare_strips<REAL>(b, s, steps, cover.flat, e);
}

} // namespace

bool shell_needed(const cuda_state *s)
{
    return !s->spare && (s->branches.block_count || s->layout.odd_count);
}

const char *shell_refusal(const struct rows *rows)
{
    const unsigned branches = branches_max(&rows->branches);
    /* blocks of a kind's points are full but for two */
    const uint64_t pairs =
        rows->branches.state_count / 2 + rows->branches.kind_count * (uint64_t)(2 * BRANCH_THREADS * branches);
    if (!rows->branches.point_count)
        return nullptr;
    if (branches > BRICK_BRANCHES)
        return "a corner of walls of more than 48 branches is stepped one step at a time";
    return pairs > UINT32_MAX || rows->nx * rows->ny > PLANE_MAX
               ? "so large a grid with branches at its walls is stepped one step at a time"
               : nullptr;
}

int shell_set_up(cuda_state *s, int steps, bool *fit, struct error *e)
{
    const size_t *n = s->layout.points;
    *fit = !shell_needed(s) || (n[0] * n[1] <= PLANE_MAX && !(s->no_shell >> steps & 1));
    if (!shell_needed(s) || !*fit)
        return 0;
    if (!s->shell || s->shell->steps != steps) {
        shell_drop(s->shell);
        s->shell = new shell();
        if ((!s->map && setup_map(s, e)) || branches_set_up_pair(&s->branches, s->problem->precision, e) ||
            (s->problem->precision == PRECISION_DOUBLE ? prepare<double>(s->shell, s, steps, e)
                                                       : prepare<float>(s->shell, s, steps, e)))
            return -1;
    }
    *fit = s->shell->fits;
    if (!*fit) {
        s->no_shell |= 1u << steps;
        shell_drop(s->shell);
        s->shell = nullptr;
    }
    return 0;
}

uint64_t shell_device_bytes(const struct layout *l, const struct rows *rows, enum precision precision)
{
    /* a point with branches is loaded by two bricks of a box and by eight of a curved wall, whose bricks differ more, too; behind a point at an object
     * lie as many that are cleared as a pass has steps, and more beside its edges */
    const uint64_t walls = rows->branches.point_count, points = walls + l->odd_points;
    const uint64_t shapes = std::min<uint64_t>(64 + points / 200, BRICK_SHAPES), solids = 8 * (uint64_t)l->odd_points;
    const uint64_t for_walls = walls ? branches_device_bytes(rows, precision, false) + 8 * walls * sizeof(brick_wall) +
                                           3 * walls * sizeof(uint32_t)
                                     : 0;
    return points ? for_walls + shapes * BRICK_POINTS * sizeof(brick_point) + solids * sizeof(uint64_t) : 0;
}

unsigned *shell_ended(const struct shell *b)
{
    return b->ended;
}

void shell_drop(struct shell *b)
{
    if (!b)
        return;
    cudaFree(b->bricks);
    cudaFree(b->walls);
    cudaFree(b->events);
    cudaFree(b->kinds);
    cudaFree(b->points);
    cudaFree(b->strips);
    cudaFree(b->strip_pairs);
    cudaFree(b->solids);
    cudaFree(b->ended);
    delete b;
}

namespace
{

template <typename REAL> struct clearing {
    REAL *next, *next_before;
    const uint64_t *solids;
    size_t count;
    unsigned *ended;
};

/* At most, for any number of points: enough to fill the memory's queues. */
enum { CLEARING_BLOCKS = 132 };

/* The first kernel after a pass: it tells those after it, which run side by side, that the pass has ended. */
template <typename REAL> __global__ void clear_solids(const clearing<REAL> c)
{
    release_next_kernel();
    wait_for_previous_kernel();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        set_completion_flag(c.ended);
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < c.count; i += (size_t)gridDim.x * blockDim.x)
        c.next[c.solids[i]] = c.next_before[c.solids[i]] = REAL(0);
}

template <typename REAL> void enqueue_bricks(const struct shell *b, brick_pass<REAL> pass, const cuda_state *s)
{
    for (int i = 0; i < BRICK_KERNELS; i++) {
        const unsigned count = b->first[i + 1] - b->first[i];
        const brick_kernel<REAL> &kernel = brick_kernels<REAL>()[i];
        pass.bricks = b->bricks + b->first[i];
        if (count)
            launch_overlapping(kernel.code, dim3(count), dim3((unsigned)kernel.threads), s->stream, pass, kernel.bytes);
    }
}

template <typename REAL> void enqueue_strips(const struct shell *b, const brick_pass<REAL> &all, const cuda_state *s)
{
    strip_pass<REAL> pass;
    memset(&pass, 0, sizeof pass);
    pass.now = all.now;
    pass.before = all.before;
    pass.next = all.field.next;
    pass.next_before = all.field.next_before;
    pass.pitch = all.field.pitch;
    pass.plane = all.field.plane;
    pass.side = all.field.side;
    pass.centre = REAL(2) - REAL(6) * pass.side;
    pass.ended = all.ended;
    pass.wall_centre = REAL(2) - REAL(5) * pass.side;
    pass.pairs = b->strip_pairs;
    pass.states_in = all.states_in;
    pass.states_out = all.states_out;
    for (const strip_kind &strips : b->strip_kinds) {
        const struct branches *walls = &s->rows.branches;
        const struct branch_kind *kind = &walls->kinds[strips.kind];
        const strip_kernel<REAL> kernel = strip_kernel_for<REAL>(all.steps, kind->count);
        pass.strips = b->strips + strips.first;
        pass.weight = (REAL)kind->weight;
        pass.heavy = kind->heavy;
        pass.branches = kind->count;
        memset(pass.factors, 0, sizeof pass.factors);
        for (uint32_t m = 0; m < kind->count; m++)
            pass.factors[m] = branch_multipliers_of<REAL>(walls->factors[kind->first + m]);
        pass.strip_count = strips.count;
        launch_overlapping(kernel.code, dim3((strips.count + kernel.warps - 1) / kernel.warps),
                           dim3(STRIP_LANES, kernel.warps), s->stream, pass, kernel.bytes);
    }
}

} // namespace

template <typename REAL>
void shell_enqueue(const struct shell *b, const cuda_state *s, const temporal_block<REAL> &pass, int steps, int phase,
                   int pair_of_grids)
{
    brick_pass<REAL> all;
    memset(&all, 0, sizeof all);
    all.now = (const REAL *)s->grids[grid_in(s, pair_of_grids, phase)];
    all.before = (const REAL *)s->grids[grid_in(s, pair_of_grids, phase - 1)];
    all.steps = steps;
    all.walls = b->walls;
    all.brick_events = b->events;
    all.kinds = b->kinds;
    all.points = b->points;
    all.code_count = (int)s->layout.code_count;
    all.factors = (const branch_factors_device<REAL> *)s->branches.factors;
    all.states_in = (const pair<REAL> *)s->branches.states[pair_of_grids];
    all.states_out = (pair<REAL> *)s->branches.states[!pair_of_grids];
    all.field = pass;
    all.ended = b->ended;
    const clearing<REAL> solids = {pass.next, pass.next_before, b->solids, b->solid_count, b->ended};
    launch_overlapping(clear_solids<REAL>, dim3((unsigned)std::min<size_t>(b->solid_count / 1024 + 1, CLEARING_BLOCKS)),
                       dim3(256), s->stream, solids);
    enqueue_strips<REAL>(b, all, s);
    enqueue_bricks<REAL>(b, all, s);
}

template void shell_enqueue<float>(const struct shell *, const cuda_state *, const temporal_block<float> &, int, int,
                                   int);
template void shell_enqueue<double>(const struct shell *, const cuda_state *, const temporal_block<double> &, int, int,
                                    int);
