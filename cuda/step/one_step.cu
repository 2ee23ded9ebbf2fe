/* SPDX-License-Identifier: MIT */
#include "cuda/step/one_step.cuh"

#include <algorithm>
#include <new>

#include "cuda/engine/device.cuh"
#include "cuda/engine/energy.cuh"
#include "cuda/engine/halos.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/engine/tuner.cuh"
#include "cuda/grid/view.cuh"
#include "cuda/step/audio.cuh"
#include "cuda/temporal/temporal.cuh"

namespace
{

/* Reads taps of p^n and adds drives to p^{n+1}, for kernels that do neither. */
template <typename REAL> __global__ void audio_step(const step<REAL> s)
{
    read_taps(s, 0, 1, threadIdx.x, blockDim.x);
    add_drives(s, EVERY_TILE, threadIdx.x, blockDim.x);
}

/* Number of words in `ended`: one per tile, and one for all taps. */
size_t words_of(const struct one_step *o)
{
    return (size_t)o->block_count + 1;
}

/* The tiling of a kernel. */
struct tile_shape {
    int size[3]; /* points */
    unsigned tiles[3];

    tile_shape(const struct layout *l, const struct step_kernel *k, struct block_shape block, enum precision precision)
        : size{block.x * k->values_per_thread[precision], block.y * k->rows_per_thread, block.z}
    {
        const dim3 n = step_tiling(k, l->points, precision, block);
        tiles[0] = n.x;
        tiles[1] = n.y;
        tiles[2] = n.z;
    }

    size_t count() const
    {
        return (size_t)tiles[0] * tiles[1] * tiles[2];
    }

    size_t tile_of(size_t x, size_t y, size_t z) const
    {
        return (z / (size_t)size[2] * tiles[1] + y / (size_t)size[1]) * tiles[0] + x / (size_t)size[0];
    }
};

/* Flags tiles with drives; drives at boundary points are added with these points. */
void flag_drives(std::vector<uint8_t> &flags, const tile_shape &t, const struct one_step *o, cuda_state *s)
{
    const uint64_t nx = s->layout.points[0], ny = s->layout.points[1];
    for (size_t i = 0; i < s->drive_points.size(); i++) {
        const uint64_t at = s->drive_at[i];
        const size_t tile = t.tile_of(at % nx, at / nx % ny, at / nx / ny);
        s->drive_points[i].tile = o->boundary.driven[i] ? (uint32_t)NO_TILE : (uint32_t)tile;
        if (!o->boundary.driven[i])
            flags[tile] |= TILE_DRIVE;
    }
}

/* Orders tiles with interior points and blocks of boundary points by the plane in which they
 * begin, so that blocks running at the same time read the same planes through the second-level
 * cache. */
std::vector<uint32_t> order_of(const tile_shape &t, const std::vector<uint8_t> &any,
                               const std::vector<listed_block> &blocks, std::vector<unsigned> *first_of_layer)
{
    std::vector<uint32_t> order;
    const size_t layer = (size_t)t.tiles[0] * t.tiles[1];
    for (size_t z = 0, next = 0; z < t.tiles[2]; z++) {
        size_t end = next;
        while (end < blocks.size() && (z + 1 == t.tiles[2] || blocks[end].plane < (z + 1) * (uint64_t)t.size[2]))
            end++;
        const size_t count = end - next, begin = next;
        first_of_layer->push_back((unsigned)order.size());
        for (size_t i = 0; i < layer; i++) { /* both kinds alternate */
            for (; next < begin + count * (i + 1) / layer; next++)
                order.push_back(blocks[next].index | LISTED_BLOCK);
            if (any[z * layer + i])
                order.push_back((uint32_t)(z * layer + i));
        }
    }
    first_of_layer->push_back((unsigned)order.size());
    return order;
}

/* In a part of a grid, blocks that read the upper halo are ordered by their last planes, so that
 * they run together with its tiles. */
std::vector<listed_block> blocks_by_halo(const struct boundary_points *b, const own_planes &own)
{
    std::vector<listed_block> blocks = b->blocks;
    for (listed_block &block : blocks)
        if (own.reads_upper_halo((int)block.last + 1, 1))
            block.plane = block.last;
    std::stable_sort(blocks.begin(), blocks.end(),
                     [](const listed_block &i, const listed_block &j) { return i.plane < j.plane; });
    return blocks;
}

/* Finds the thread blocks in the layers of tiles between those that read a halo. */
void find_far(struct one_step *o, const tile_shape &t, const own_planes &own,
              const std::vector<unsigned> &first_of_layer)
{
    size_t low = 0, high = t.tiles[2];
    while (low < high && own.reads_lower_halo((int)low * t.size[2], 1))
        low++;
    while (high > low && own.reads_upper_halo((int)high * t.size[2], 1))
        high--;
    o->far_begin = first_of_layer[low];
    o->far_end = first_of_layer[high];
}

/* Whether nothing is launched between steps or concurrently with them, and every point belongs
 * to a tile. */
bool steps_follow_each_other(const struct problem *p, bool audited, bool lists)
{
    return !lists && !audited && !leapfrog_of(p)->bodies && !own_planes(p).has_halos();
}

/* Whether there are more tiles than the device holds at a time. With fewer, a step of a small
 * box gains nothing from tiles that end early, and waiting for counters takes longer than the
 * end of a kernel. */
bool is_many(const struct one_step *o)
{
    const uint64_t at_once = 768; /* approximate threads per multiprocessor; threads with two rows count twice */
    const uint64_t threads = (uint64_t)o->block.x * (uint64_t)o->block.y * (uint64_t)o->kernel->rows_per_thread;
    return (uint64_t)o->block_count * threads > at_once * (uint64_t)multiprocessors();
}

/* Whether a step waits for tiles of the previous step rather than for its kernel. With a
 * requested block shape, it does so whenever possible, so that checks can use small rooms. */
bool waits_for_tiles(const struct one_step *o, const cuda_state *s)
{
    return o->kernel->own_audio && device_overlaps() && steps_follow_each_other(s->problem, s->audited, o->order) &&
           (o->asked || is_many(o));
}

int upload_tiles(struct one_step *o, cuda_state *s, struct error *e)
{
    if (!o->kernel->own_audio)
        return 0;
    const tile_shape t(&s->layout, o->kernel, o->block, s->problem->precision);
    std::vector<uint8_t> flags(t.count(), 0), any;
    o->tiling[0] = (int)t.tiles[0];
    o->tiling[1] = (int)t.tiles[1];
    o->block_count = (unsigned)t.count();
    const own_planes own(s->problem);
    std::vector<unsigned> first_of_layer;
    if (o->boundary.interior) {
        if (boundary_points_flag(&o->boundary, s, t.size, t.tiles, &flags, &any, e))
            return -1;
        const std::vector<uint32_t> order = order_of(t, any, blocks_by_halo(&o->boundary, own), &first_of_layer);
        o->block_count = (unsigned)order.size();
        if (upload(&o->order, order.data(), order.size(), "tiles", e))
            return -1;
    } else {
        for (unsigned z = 0; z <= t.tiles[2]; z++)
            first_of_layer.push_back(z * t.tiles[0] * t.tiles[1]);
    }
    find_far(o, t, own, first_of_layer);
    if (waits_for_tiles(o, s) && cuda_check(cudaMalloc(&o->ended, words_of(o) * sizeof *o->ended), "tiles", e))
        return -1;
    flag_drives(flags, t, o, s);
    if (!s->drive_points.empty() &&
        cuda_check(cudaMemcpy(s->device_drive_points, s->drive_points.data(),
                              s->drive_points.size() * sizeof(drive_point), cudaMemcpyHostToDevice),
                   "drive channels", e))
        return -1;
    if ((!s->drive_points.empty() || o->boundary.interior) && upload(&o->tiles, flags.data(), flags.size(), "tiles", e))
        return -1;
    return cuda_check(cudaDeviceSynchronize(), "tiles", e); /* the steps' stream does not wait for the default stream */
}

void drop_tiles(struct one_step *o)
{
    cudaFree(o->tiles);
    cudaFree(o->order);
    cudaFree(o->ended);
    o->tiles = nullptr;
    o->order = nullptr;
    o->ended = nullptr;
}

} // namespace

const struct step_kernel *step_kernel_of(const struct strategy *row)
{
    return row->single ? static_cast<const struct step_kernel *>(row) : nullptr;
}

struct one_step *one_step_of(const cuda_state *s)
{
    return (struct one_step *)s->open[0].state;
}

int one_step_use(struct one_step *o, cuda_state *s, const struct step_kernel *kernel, struct block_shape block,
                 struct error *e)
{
    o->kernel = kernel;
    o->block = block;
    one_step_drop_graphs(o);
    drop_tiles(o);
    return upload_tiles(o, s, e);
}

void one_step_drop_graphs(struct one_step *o)
{
    for (cudaGraphExec_t &graph : o->graphs)
        graph_drop(&graph);
}

int one_step_applicable(const struct strategy *self, struct strategy_offer *offer, const struct strategy_case *c,
                        struct error *e)
{
    const struct step_kernel *kernel = step_kernel_of(self);
    const struct solver_options *choice = c->choice;
    const char *reason = strategy_stencil_refusal(self, leapfrog_of(c->problem)->stencil);
    if (!reason)
        reason = kernel->refusal(c->problem, c->layout);
    if (c->named == self && reason)
        return fail(e, ERROR_ENGINE, "the %s kernel cannot be used: %s", self->name, reason);
    offer->wanted = c->named && c->named->single ? c->named == self : !reason;
    offer->insisted = c->named == self;
    offer->tuned = kernel->own_audio && is_worth_tuning(c->layout) &&
                   !(choice->block[0] > 0 || choice->kernel || choice->cuda.no_tune);
    return 0;
}

void one_step_plan(const struct strategy_offer *offer, const struct strategy_case *c, struct solver_plan *r)
{
    const struct step_kernel *kernel = step_kernel_of(offer->strategy);
    const struct problem *p = c->problem;
    const struct layout *l = c->layout;
    r->kernel = kernel->name;
    r->field_bytes = (uint64_t)grid_count(p) * grid_bytes(c, 0);
    r->boundary_bytes += l->irregular_count ? map_bytes(c) : 0;
    if (kernel->own_audio) {
        const uint64_t width = 32u * (uint64_t)kernel->values_per_thread[p->precision];
        const uint64_t tiles =
            (l->points[0] + width - 1) / width * l->points[1] * l->points[2]; /* for the smallest shape */
        /* for the smallest tiles that are tried, of 4 planes, or for the requested ones */
        const uint64_t words = (c->choice->block[0] > 0 ? tiles : tiles / 4 + l->points[1]) * sizeof(unsigned);
        const uint64_t lists = boundary_points_bytes(l, c->rows);
        r->boundary_bytes +=
            lists + (lists || p->drive_count ? tiles : 0) +
            (steps_follow_each_other(p, c->choice->audit, lists) ? words : 0) +
            (lists ? (tiles + boundary_points_plain(l) / BRANCH_THREADS + 1 +
                      c->rows->branches.point_count / BRANCH_THREADS + 2 * c->rows->branches.kind_count) *
                         sizeof(uint32_t)
                   : 0);
    }
}

namespace
{

int check_block(const struct step_kernel *k, struct block_shape b, struct error *e)
{
    if (!k->own_audio && !k->streams && k->block.z == 1 && b.z != 1)
        return fail(e, ERROR_USAGE, "--block %dx%dx%d: the %s kernel needs exactly one plane along z", b.x, b.y, b.z,
                    k->name);
    if (!k->own_audio && (b.z < (k->streams ? 0 : 1) || (!k->streams && b.z > 64)))
        return fail(e, ERROR_USAGE, "--block %dx%dx%d: the %s kernel supports %s along z", b.x, b.y, b.z, k->name,
                    k->streams ? "0 or more planes" : "1 to 64 threads");
    if (k->own_audio ? b.x != 32 || b.y > ROOM_THREADS / 32 || b.z < 1
                     : (int64_t)b.x * b.y * (k->streams ? 1 : b.z) > 1024)
        return fail(e, ERROR_USAGE, "--block %dx%dx%d: the %s kernel supports %s", b.x, b.y, b.z, k->name,
                    k->own_audio ? "only 32 threads along x, at most 4 along y and at least 1 plane along z"
                                 : "at most 1024 threads");
    return 0;
}

} // namespace

int one_step_open(void **state, cuda_state *s, struct strategy_offer *offer, const struct solver_options *c,
                  struct error *e)
{
    const struct step_kernel *kernel = step_kernel_of(offer->strategy);
    const struct block_shape block =
        c->block[0] > 0 ? block_shape{c->block[0], c->block[1], c->block[2]} : kernel->block;
    *state = nullptr;
    if (check_block(kernel, block, e))
        return -1;
    struct one_step *o = new (std::nothrow) one_step();
    if (!o)
        return fail(e, ERROR_MEMORY, "out of memory");
    *state = o;
    o->asked = c->block[0] > 0;
    if (boundary_points_setup(&o->boundary, s, e) || one_step_use(o, s, kernel, block, e) ||
        (offer->tuned && tuner_choose_step(o, s, e)))
        return -1;
    offer->strategy = o->kernel;
    return 0;
}

void one_step_close(void *state, cuda_state *)
{
    struct one_step *o = (struct one_step *)state;
    if (!o)
        return;
    one_step_drop_graphs(o);
    drop_tiles(o);
    boundary_points_drop(&o->boundary);
    delete o;
}

namespace
{

/* Number of thread blocks that read the taps of a step: one warp per channel, up to a limit. */
unsigned tap_blocks(unsigned taps, struct block_shape block)
{
    const unsigned warps = (unsigned)(block.x * block.y) / 32u;
    return std::min((taps + warps - 1) / warps, 1024u);
}

template <typename REAL> void launch(const struct one_step *o, const step<REAL> &args, cudaStream_t stream)
{
    if constexpr (sizeof(REAL) == sizeof(double))
        o->kernel->launch_double(&args, o->block, stream);
    else
        o->kernel->launch_single(&args, o->block, stream);
}

/* Whether a step may begin with work that does not read halos while these are being received. */
bool hides_halos(const struct one_step *o, const cuda_state *s)
{
    return o->kernel->own_audio && !s->bodies && !s->partitions && !s->audited && o->far_begin < o->far_end &&
           o->far_end - o->far_begin < o->block_count;
}

/* Launches the blocks that read no halo and, concurrently, those before and after them that do.
 * p⁺ replaces p⁻, which is sent to neighbours. */
template <typename REAL>
int launch_beside_halos(const struct one_step *o, cuda_state *s, const step<REAL> &args, struct error *e)
{
    step<REAL> far = args, near = args;
    cudaStream_t stream;
    if (halos_wait_until_given(s, e))
        return -1;
    far.first_block = o->far_begin;
    far.block_count = o->far_end - o->far_begin;
    launch(o, far, s->stream);
    if (halos_begin_near(s, &stream, e))
        return -1;
    near.tap_count = near.tap_blocks = 0; /* taps of p^n in the part's own planes: the other launch reads them */
    near.block_count = o->far_begin;
    if (near.block_count)
        launch(o, near, stream);
    near.first_block = o->far_end;
    near.block_count = o->block_count - o->far_end;
    if (near.block_count)
        launch(o, near, stream);
    return halos_end_near(s, e);
}

/* Taps of a level are recorded by a separate launch after each step. */
bool counts_steps(const struct one_step *o, const cuda_state *s)
{
    return o->ended && !tap_history_is_kept(s);
}

/* Called before the first of several steps. */
int clear_turns(const struct one_step *o, const cuda_state *s, struct error *e)
{
    return counts_steps(o, s)
               ? cuda_check(cudaMemsetAsync(o->ended, 0, words_of(o) * sizeof *o->ended, s->stream), "steps", e)
               : 0;
}

/* Takes the step to p^{phase + 1}: field and walls, then instruments. turn: index among several
 * consecutive steps. */
template <typename REAL> int enqueue_step(const struct one_step *o, cuda_state *s, int phase, int turn, struct error *e)
{
    step<REAL> args = make_step<REAL>(s, phase, turn);
    args.boundary = boundary_view_of<REAL>(&o->boundary, s);
    args.tiles = o->tiles;
    args.order = o->order;
    args.block_count = o->block_count;
    args.tiling[0] = o->tiling[0];
    args.tiling[1] = o->tiling[1];
    args.chunk = o->block.z;
    if (tap_history_is_kept(s))
        args.tap_count = 0;
    args.tap_blocks = o->kernel->own_audio ? tap_blocks(args.tap_count, o->block) : 0;
    if (counts_steps(o, s)) {
        args.ended = o->ended;
        args.turn = (unsigned)turn;
        args.reversed = false;
    }
    partitions_step<REAL>(s->partitions, args, s->stream);
    bodies_begin<REAL>(s->bodies, args, phase, s->stream);
    if (s->audited)
        energy_before_step<REAL>(s, args);
    if (!s->halo_streams.taking)
        launch(o, args, s->stream);
    else if (launch_beside_halos(o, s, args, e))
        return -1;
    if (!o->kernel->own_audio && (args.tap_count || args.drive_point_count))
        audio_step<REAL><<<1, 256, 0, s->stream>>>(args);
    if (tap_history_is_kept(s))
        tap_history_record(s, phase + 1, turn + 1);
    bodies_end<REAL>(s->bodies, args, phase, s->stream);
    if (s->audited) {
        bodies_follow(s->bodies, phase, s->stream);
        energy_after_step<REAL>(s, args);
    }
    return cuda_check(cudaGetLastError(), o->kernel->name, e);
}

int enqueue_one(const struct one_step *o, cuda_state *s, int phase, int turn, struct error *e)
{
    return s->problem->precision == PRECISION_DOUBLE ? enqueue_step<double>(o, s, phase, turn, e)
                                                     : enqueue_step<float>(o, s, phase, turn, e);
}

/* Bodies save the values of p^n and p^{n-1} that they need; reads them again after others have
 * changed the field. */
template <typename REAL> void refresh_history(const cuda_state *s)
{
    const step<REAL> args = make_step<REAL>(s, s->phase, 0);
    bodies_read_history<REAL>(s->bodies, args, s->phase, s->stream);
}

void refresh(cuda_state *s)
{
    if (s->history_is_old && s->problem->precision == PRECISION_DOUBLE)
        refresh_history<double>(s);
    else if (s->history_is_old)
        refresh_history<float>(s);
    s->history_is_old = false;
}

} // namespace

int one_step_enqueue(void *state, cuda_state *s, size_t *steps, struct error *e)
{
    struct one_step *o = (struct one_step *)state;
    auto record = [&] {
        int status = clear_turns(o, s, e);
        for (int i = 0; i < GRAPH_STEPS && !status; i++)
            status = enqueue_one(o, s, (s->phase + i) % PHASES, i, e);
        return status;
    };
    if (*steps && (*steps >= GRAPH_STEPS || !hides_halos(o, s)) && halos_wait(s, e))
        return -1;
    if (*steps) {
        partitions_start(s);
        refresh(s);
    }
    for (; *steps >= GRAPH_STEPS; *steps -= GRAPH_STEPS)
        if (graph_launch(s, &o->graphs[s->phase], GRAPH_STEPS, record, e))
            return -1;
    if (*steps && clear_turns(o, s, e))
        return -1;
    for (size_t i = 0; i < *steps; i++) {
        if (enqueue_one(o, s, s->phase, (int)i, e))
            return -1;
        s->phase = (s->phase + 1) % PHASES;
    }
    if (*steps)
        advance_base(s, *steps);
    *steps = 0;
    return cuda_check(cudaGetLastError(), "steps", e);
}
