/* SPDX-License-Identifier: MIT */
#include "cuda/step/one_step.cuh"

#include <algorithm>
#include <new>

#include "cuda/engine/energy.cuh"
#include "cuda/engine/graphs.cuh"
#include "cuda/engine/tuner.cuh"
#include "cuda/step/audio.cuh"
#include "cuda/temporal/tap_history.cuh"

namespace
{

/* Taps of p^n and drives into p^{n+1}, for kernels that do neither. */
template <typename REAL> __global__ void audio_step(const step<REAL> s)
{
    read_taps(s, 0, 1, threadIdx.x, blockDim.x);
    add_drives(s, EVERY_TILE, threadIdx.x, blockDim.x);
}

/* Flags of a tiling: tiles with irregular points read the map, those with drives add them, those without air do nothing. */
struct tile_flags {
    dim3 n;
    size_t width, height, depth;
    std::vector<uint8_t> flags;

    tile_flags(const struct layout *l, const struct step_kernel *k, struct block_shape block, enum precision precision)
        : n(step_tiling(k, l->points, precision, block)), width((size_t)(block.x * k->values_per_thread[precision])),
          height((size_t)(block.y * k->rows_per_thread)), depth((size_t)block.z), flags((size_t)n.x * n.y * n.z, 0)
    {
    }

    size_t tile_of(size_t x, size_t row, size_t ny) const
    {
        return (row / ny / depth * n.y + row % ny / height) * n.x + x / width;
    }
};

void flag_irregular(tile_flags &t, const struct layout *l)
{
    const size_t part = t.width < (size_t)SEGMENT ? t.width : (size_t)SEGMENT;
    for (size_t i = 0; i < l->irregular_count; i++) {
        const size_t row = (size_t)(l->irregular[i] / l->segments),
                     first = (size_t)(l->irregular[i] % l->segments) * SEGMENT;
        for (size_t x = first; x < first + SEGMENT && x < l->points[0]; x += part)
            t.flags[t.tile_of(x, row, l->points[1])] |= TILE_MAP;
    }
}

/* Also says whether there are any. */
bool flag_empty(tile_flags &t, const struct rows *rows)
{
    for (uint8_t &flag : t.flags)
        flag |= TILE_EMPTY;
    for (size_t row = 0; row < rows->count; row++)
        for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++) {
            const struct run run = rows->runs[r];
            const size_t last = t.tile_of(run.start + run.length - 1, row, rows->ny);
            for (size_t tile = t.tile_of(run.start, row, rows->ny); tile <= last; tile++)
                t.flags[tile] &= (uint8_t)~TILE_EMPTY;
        }
    return std::any_of(t.flags.begin(), t.flags.end(), [](uint8_t flag) { return flag & TILE_EMPTY; });
}

void flag_drives(tile_flags &t, cuda_state *s)
{
    const struct layout *l = &s->layout;
    for (size_t i = 0; i < s->drive_points.size(); i++) {
        const size_t tile =
            t.tile_of((size_t)(s->drive_at[i] % l->points[0]), (size_t)(s->drive_at[i] / l->points[0]), l->points[1]);
        s->drive_points[i].tile = (uint32_t)tile;
        t.flags[tile] = (uint8_t)((t.flags[tile] | TILE_DRIVE) & ~TILE_EMPTY);
    }
}

int upload_tiles(struct one_step *o, cuda_state *s, struct error *e)
{
    if (!o->kernel->own_audio)
        return 0;
    tile_flags t(&s->layout, o->kernel, o->block, s->problem->precision);
    flag_irregular(t, &s->layout);
    const bool empty = flag_empty(t, &s->rows);
    flag_drives(t, s);
    if (!s->drive_points.empty() &&
        cuda_check(cudaMemcpy(s->device_drive_points, s->drive_points.data(),
                              s->drive_points.size() * sizeof(drive_point), cudaMemcpyHostToDevice),
                   "drive channels", e))
        return -1;
    if ((!s->drive_points.empty() || s->layout.irregular_count || empty) &&
        upload(&o->tiles, t.flags.data(), t.flags.size(), "tiles", e))
        return -1;
    return cuda_check(cudaDeviceSynchronize(), "tiles", e); /* the steps' stream does not wait for the default stream */
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
    cudaFree(o->tiles);
    o->tiles = nullptr;
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
    const struct choice *choice = c->choice;
    const char *reason = strategy_stencil_refusal(self, leapfrog_of(c->problem)->stencil);
    if (!reason)
        reason = kernel->refusal(c->problem, c->layout);
    if (c->named == self && reason)
        return fail(e, ERROR_ENGINE, "the %s kernel cannot run this: %s", self->name, reason);
    offer->wanted = c->named && c->named->single ? c->named == self : !reason;
    offer->insisted = c->named == self;
    offer->tuned =
        kernel->own_audio && is_worth_tuning(c->layout) && !(choice->block[0] > 0 || choice->kernel || choice->no_tune);
    return 0;
}

void one_step_require(const struct strategy_offer *offer, const struct strategy_case *c, struct requirement *r)
{
    const struct step_kernel *kernel = step_kernel_of(offer->strategy);
    const struct problem *p = c->problem;
    const struct layout *l = c->layout;
    r->kernel = kernel->name;
    r->field_bytes = (uint64_t)grid_count(p) * grid_bytes(c, 0);
    r->boundary_bytes += l->irregular_count ? map_bytes(c) : 0;
    const bool full = c->rows->air_points == (uint64_t)l->points[0] * l->points[1] * l->points[2];
    if (kernel->own_audio &&
        (l->irregular_count || p->drive_count || !full)) { /* a flag for each tile of the smallest shape */
        const uint64_t width = 32u * (uint64_t)kernel->values_per_thread[p->precision];
        r->boundary_bytes += (l->points[0] + width - 1) / width * l->points[1] * l->points[2];
    }
}

namespace
{

int check_block(const struct step_kernel *k, struct block_shape b, struct error *e)
{
    if (!k->own_audio && !k->streams && k->block.z == 1 && b.z != 1)
        return fail(e, ERROR_USAGE, "--block %dx%dx%d: the %s kernel takes one plane along z", b.x, b.y, b.z, k->name);
    if (!k->own_audio && (b.z < (k->streams ? 0 : 1) || (!k->streams && b.z > 64)))
        return fail(e, ERROR_USAGE, "--block %dx%dx%d: the %s kernel takes %s along z", b.x, b.y, b.z, k->name,
                    k->streams ? "0 or more planes" : "1 to 64 threads");
    if (k->own_audio ? b.x != 32 || b.y > ROOM_THREADS / 32 || b.z < 1
                     : (int64_t)b.x * b.y * (k->streams ? 1 : b.z) > 1024)
        return fail(e, ERROR_USAGE, "--block %dx%dx%d: the %s kernel takes %s", b.x, b.y, b.z, k->name,
                    k->own_audio ? "32 threads along x, at most 4 along y and 1 or more planes along z"
                                 : "at most 1024 threads");
    return 0;
}

} // namespace

int one_step_open(void **state, cuda_state *s, struct strategy_offer *offer, const struct choice *c, struct error *e)
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
    if (one_step_use(o, s, kernel, block, e) || (offer->tuned && tuner_choose_step(o, s, e)))
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
    cudaFree(o->tiles);
    delete o;
}

namespace
{

/* Makes p^{phase + 1}: field, walls with branches, instruments. */
template <typename REAL>
int enqueue_step(const struct one_step *o, const cuda_state *s, int phase, int offset, struct error *e)
{
    step<REAL> args = make_step<REAL>(s, phase, offset);
    args.tiles = o->tiles;
    if (tap_history_is_kept(s))
        args.tap_count = 0;
    bodies_begin<REAL>(s->bodies, args, phase, s->stream);
    if (s->audited)
        energy_before_step<REAL>(s, args);
    if constexpr (sizeof(REAL) == sizeof(double))
        o->kernel->launch_double(&args, o->block, s->stream);
    else
        o->kernel->launch_single(&args, o->block, s->stream);
    if (!o->kernel->own_audio && (args.tap_count || args.drive_point_count))
        audio_step<REAL><<<1, 256, 0, s->stream>>>(args);
    branches_enqueue<REAL>(&s->branches, args.next, s->pair_of_grids, (phase + 1) & 1, s->stream);
    if (tap_history_is_kept(s))
        tap_history_record(s, phase + 1, offset + 1);
    bodies_end<REAL>(s->bodies, args, phase, s->stream);
    if (s->audited) {
        bodies_follow(s->bodies, phase, s->stream);
        energy_after_step<REAL>(s, args);
    }
    return cuda_check(cudaGetLastError(), o->kernel->name, e);
}

int enqueue_one(const struct one_step *o, const cuda_state *s, int phase, int offset, struct error *e)
{
    return s->problem->precision == PRECISION_DOUBLE ? enqueue_step<double>(o, s, phase, offset, e)
                                                     : enqueue_step<float>(o, s, phase, offset, e);
}

/* Branches and bodies save what they need of p^n and p^{n-1}; reads it again after something else has set these. */
template <typename REAL> void refresh_history(const cuda_state *s)
{
    const step<REAL> args = make_step<REAL>(s, s->phase, 0);
    branches_read_history<REAL>(&s->branches, args.now, args.before, s->phase & 1, s->stream);
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
        int status = 0;
        for (int i = 0; i < GRAPH_STEPS && !status; i++)
            status = enqueue_one(o, s, (s->phase + i) % PHASES, i, e);
        return status;
    };
    if (*steps)
        refresh(s);
    for (; *steps >= GRAPH_STEPS; *steps -= GRAPH_STEPS)
        if (graph_launch(s, &o->graphs[s->phase], GRAPH_STEPS, record, e))
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
