/* How the CUDA engine steps the leapfrog scheme. */
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <vector>

extern "C" {
#include "base/text.h"
#include "solver/find_kernel.h"
}
#include "cuda/engine/device.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/engine/tuning.cuh"
#include "cuda/temporal/boundary_region.cuh"
#include "cuda/temporal/tile_plan.cuh"

extern const struct cuda_kernel room_kernel;

namespace
{

const struct cuda_kernel *kernel_by_index(size_t index)
{
    size_t count = 0;
    while (cuda_kernels[count] && count < index)
        count++;
    return cuda_kernels[count] ? cuda_kernels[count] : cuda_kernel_variants[index - count];
}

struct request {
    const struct problem *problem;
    const struct layout *layout;
};

const char *kernel_of_table(const void *context, size_t index, const char **reason)
{
    const request *r = (const request *)context;
    const struct cuda_kernel *k = kernel_by_index(index);
    *reason = k ? k->applicable(r->problem, r->layout) : nullptr;
    return k ? k->name : nullptr;
}

const struct cuda_kernel *choose_kernel(const struct problem *p, const struct layout *l, const struct choice *c,
                                        struct error *e)
{
    const request r = {p, l};
    const struct kernel_table table = {"cuda", nullptr, kernel_of_table, &r};
    size_t index;
    return find_kernel(&index, &table, c ? c->kernel : nullptr, e) ? nullptr : kernel_by_index(index);
}

int level_count(const struct problem *p)
{
    return leapfrog_of(p)->viscosity > 0.0 ? 3 : 2;
}

uint64_t grid_bytes(const struct problem *p, const struct layout *l)
{
    return (uint64_t)l->pitch * l->points[1] * l->points[2] * precision_bytes(p->precision);
}

const size_t worth_tuning = 1u << 20; /* values: a smaller grid is stepped in microseconds whatever the shape */

/* How passes of several steps are to be made. */
struct passes {
    bool wanted, insist; /* somebody asked for them */
    size_t spare;        /* planes, as in cuda_state */
};

/* Of the grids for passes: of four, or of two with `spare` planes more. */
uint64_t pass_field_bytes(const struct problem *p, const struct layout *l, size_t spare)
{
    return spare ? 2 * (grid_bytes(p, l) + spare * (grid_bytes(p, l) / l->points[2])) : 4 * grid_bytes(p, l);
}

/* For passes in place: an eighth of the grid, or less where the field has only `most` bytes. With fewer, a pass is more launches, and each makes
 * planes again that the one before has made. */
size_t spare_planes(const struct problem *p, const struct layout *l, const struct choice *c, uint64_t most)
{
    const size_t least = 24;
    size_t steps = 0, spare = 0;
    for (const struct tile_kernel *k = tile_kernels(p); k->steps; k++)
        steps = std::max(steps, (size_t)k->steps);
    const size_t asked = c && c->block[0] > 0 ? (size_t)c->block[2] + steps : 0; /* for a chunk that was asked for */
    for (size_t share = 8; share <= 32; share *= 2) {
        spare = std::max({l->points[2] / share, least, asked});
        if (pass_field_bytes(p, l, spare) < most)
            break;
    }
    return spare;
}

/* Whether several steps are to be taken in a pass, and in which memory: -1 with the reason when somebody insists and they cannot be. */
int want_temporal(struct passes *passes, const struct cuda_kernel **kernel, const struct problem *p,
                  const struct layout *l, const struct rows *rows, const struct choice *c, struct error *e)
{
    const int time_block = c ? c->time_block : 0;
    const bool named = *kernel == &temporal_blocks, in_place = c && c->in_place;
    size_t available = 0, total = 0;
    *passes = {false, named || time_block > 1 || in_place, 0};
    if (named && time_block == 1)
        return fail(e, ERROR_USAGE, "--kernel fused --time-block 1: the fused kernel takes several steps in a pass");
    if (in_place && time_block == 1)
        return fail(e, ERROR_USAGE, "--in-place --time-block 1: only passes of several steps are made in place");
    if (passes->insist && !named && c->kernel)
        return in_place ? fail(e, ERROR_ENGINE, "--in-place: the %s kernel takes one step in a pass", (*kernel)->name)
                        : fail(e, ERROR_ENGINE, "--time-block %d: the %s kernel takes one step in a pass", time_block,
                               (*kernel)->name);
    const char *reason = tile_plan_refusal(p, l, c && c->audit, time_block);
    if (!reason)
        reason = boundary_region_refusal(rows);
    if (!reason && in_place && rows->branches.point_count)
        reason = "what walls with branches need of the field, a pass in place would overwrite";
    if (passes->insist && reason)
        return fail(e, ERROR_ENGINE, "%s %s: %s",
                    named            ? "--kernel"
                    : time_block > 1 ? "--time-block"
                                     : "--in-place",
                    named ? "fused" : "with --engine cuda", reason);
    if (cuda_check(cudaMemGetInfo(&available, &total), "GPU memory", e))
        return -1;
    const uint64_t besides = (uint64_t)l->pitch * l->points[1] * l->points[2] * sizeof(point_code) + captures_bytes(p) +
                             branches_device_bytes(rows, p->precision, false);
    const uint64_t shell = boundary_region_device_bytes(l, rows, p->precision),
                   all = available / 16 * 15; /* passes in place have no shell */
    const uint64_t most = all > besides + shell ? all - besides - shell : 0,
                   max_in_place = all > besides ? all - besides : 0;
    if (in_place || pass_field_bytes(p, l, 0) >= most)
        passes->spare = spare_planes(p, l, c, max_in_place);
    if (passes->spare && rows->branches.point_count) { /* these need the grids that a pass in place overwrites */
        if (passes->insist)
            return fail(
                e, ERROR_MEMORY,
                "passes of several steps need %s of GPU memory for this grid: lower grid.rate, or use --time-block 1",
                memory_text(pass_field_bytes(p, l, 0) + besides + shell));
        reason = "no room";
    }
    passes->wanted =
        passes->insist || (!reason && time_block != 1 && !(c && (c->kernel || c->no_tune || c->block[0] > 0)) &&
                           grid_bytes(p, l) / precision_bytes(p->precision) >= worth_tuning &&
                           pass_field_bytes(p, l, passes->spare) < (passes->spare ? max_in_place : most));
    if (named)
        *kernel = &room_kernel; /* for the steps that no pass can take */
    return 0;
}

uint64_t needed_field_bytes(const struct problem *p, const struct layout *l)
{
    return (uint64_t)level_count(p) * grid_bytes(p, l);
}

int fill_requirement(struct requirement *r, const struct problem *p, const struct layout *l, const struct rows *rows,
                     const struct cuda_kernel *kernel, bool audited, const struct passes *passes, int time_block)
{
    r->engine = "cuda";
    r->kernel = kernel->name;
    r->field_bytes = needed_field_bytes(p, l);
    r->boundary_bytes = l->odd_count ? (uint64_t)l->pitch * l->points[1] * l->points[2] * sizeof(point_code) : 0;
    if (kernel->own_audio && (l->odd_count || p->drive_count)) { /* a flag for each tile of the smallest shape */
        const uint64_t width = 32u * (uint64_t)kernel->values_per_thread[p->precision];
        r->boundary_bytes += (l->points[0] + width - 1) / width * l->points[1] * l->points[2];
    }
    if (passes->wanted) {
        r->kernel = temporal_blocks.name;
        r->time_block = time_block ? time_block : tile_kernels(p)->steps;
        r->field_bytes = pass_field_bytes(p, l, passes->spare);
        r->in_place = passes->spare > 0;
        if (rows->branches.point_count && !l->odd_count) /* boundary tiles read the map of any room */
            r->boundary_bytes += (uint64_t)l->pitch * l->points[1] * l->points[2] * sizeof(point_code);
        if (!passes->spare)
            r->boundary_bytes += boundary_region_device_bytes(l, rows, p->precision);
    }
    if (audited)
        r->boundary_bytes += rows->wall_start[rows->count] * (sizeof(watched_point) + 2 * sizeof(double));
    r->boundary_bytes += branches_device_bytes(rows, p->precision, audited);
    r->channel_bytes = (uint64_t)(p->drive_count + p->tap_count) * BLOCK_STEPS * sizeof(double) +
                       bodies_device_bytes(p) + (passes->wanted ? captures_bytes(p) : 0);
    r->air_points = rows->air_points;
    r->wall_points = rows->wall_start[rows->count] + rows->branches.point_count;
    r->on_device = true;
    return 0;
}

/* Whether the tuner chooses block and kernel of single steps; whether it chooses how many steps a pass takes, if any. */
bool tunes_steps(const struct problem *p, const struct layout *l, const struct cuda_kernel *kernel,
                 const struct choice *c)
{
    return kernel->own_audio && grid_bytes(p, l) / precision_bytes(p->precision) >= worth_tuning &&
           !(c && (c->block[0] > 0 || c->kernel || c->no_tune));
}

bool tunes_passes(const struct problem *p, const struct layout *l, const struct passes *passes, const struct choice *c)
{
    return passes->wanted && grid_bytes(p, l) / precision_bytes(p->precision) >= worth_tuning && !(c && c->no_tune) &&
           !(passes->insist && c && c->block[0] > 0);
}

const struct cuda_kernel *kernel_named(const char *name)
{
    for (size_t i = 0; cuda_kernels[i]; i++)
        if (!strcmp(cuda_kernels[i]->name, name))
            return cuda_kernels[i];
    return nullptr;
}

/* What the tuner chose for this room before: the kernel of single steps, and how many steps a pass takes, or that none are to be made.
 * `untried`: it will have to try. */
void recall_tuning(const struct cuda_kernel **kernel, struct passes *passes, int *time_block, bool *untried,
                   const struct problem *p, const struct layout *l, const struct rows *rows, const struct choice *c)
{
    const bool steps = tunes_steps(p, l, *kernel, c), several = tunes_passes(p, l, passes, c);
    *untried = false;
    if (!steps && !several)
        return;
    const std::string device = tuning_device_key(), room = tuning_room_key(p, l, rows, c && c->audit);
    struct tuned of_steps = {}, of_passes = {};
    const bool steps_known =
        steps && tuning_recall(tuning_steps_key(device, room), &of_steps) && kernel_named(of_steps.kernel);
    const bool passes_known =
        several &&
        tuning_recall(tuning_passes_key(device, room, *time_block, passes->spare, passes->insist), &of_passes);
    if (steps_known)
        *kernel = kernel_named(of_steps.kernel);
    if (passes_known && of_passes.shape.x > 0)
        *time_block = of_passes.shape.x;
    else if (passes_known)
        passes->wanted = false;
    *untried = several ? !passes_known || (!passes->wanted && steps && !steps_known) : !steps_known;
}

int require_on_device(struct requirement *r, const struct problem *p, const struct layout *l, const struct rows *rows,
                      const struct choice *c, struct error *e)
{
    const struct cuda_kernel *kernel = choose_kernel(p, l, c, e);
    struct passes passes = {};
    int time_block = c ? c->time_block : 0;
    bool untried;
    if (!kernel || want_temporal(&passes, &kernel, p, l, rows, c, e))
        return -1;
    recall_tuning(&kernel, &passes, &time_block, &untried, p, l, rows, c);
    const int status = fill_requirement(r, p, l, rows, kernel, c && c->audit, &passes, time_block);
    r->untried = untried;
    return status;
}

int require(struct requirement *r, const struct problem *p, const struct choice *c, struct error *e)
{
    struct rows rows;
    struct layout layout;
    size_t available = 0, total = 0;
    if (take_device(c, e) || cuda_check(cudaMemGetInfo(&available, &total), "GPU memory", e))
        return -1;
    r->engine = "cuda";
    r->kernel = "none";
    r->on_device = true;
    r->available_bytes = available;
    r->field_bytes =
        (uint64_t)level_count(p) * p->points[0] * p->points[1] * p->points[2] * precision_bytes(p->precision);
    if (r->field_bytes > available)
        return 0; /* the map of a grid that cannot fit is not looked through */
    if (rows_make(&rows, p, e))
        return -1;
    int status = layout_make(&layout, &rows, p, e);
    if (!status) {
        status = without_throwing(e, [&] { return require_on_device(r, p, &layout, &rows, c, e); });
        layout_free(&layout);
    }
    rows_free(&rows);
    return status;
}

void close_state(void *state)
{
    cuda_state *s = (cuda_state *)state;
    if (!s)
        return;
    cudaSetDevice(s->device);
    setup_free(s);
    layout_free(&s->layout);
    rows_free(&s->rows);
    delete s;
}

/* Before anything is allocated; says in *r what there is. */
int check_device_memory(struct requirement *r, struct error *e)
{
    size_t available = 0, total = 0;
    const uint64_t needed = r->field_bytes + r->boundary_bytes + r->channel_bytes;
    if (cuda_check(cudaMemGetInfo(&available, &total), "GPU memory", e))
        return -1;
    r->available_bytes = available;
    return needed <= available
               ? 0
               : fail(e, ERROR_MEMORY,
                      "this grid needs %s of GPU memory and %s is free: lower grid.rate, or use --engine cpu",
                      memory_text(needed), memory_text(available));
}

/* The grids that a pass of several steps writes, what taps need, and the kernel: where it pays, or where somebody insists. */
int try_passes(cuda_state *s, const struct choice *c, bool insist, struct error *e)
{
    const int time_block = c ? c->time_block : 0;
    bool made = false;
    if (setup_other_pair(s, e) || captures_set_up(s, e))
        return -1;
    if (insist && c && c->block[0] > 0) { /* a tile and planes of a chunk that were asked for */
        s->tile_chunk = c->block[2];
        memcpy(s->tile_extent, c->block, sizeof s->tile_extent);
        for (const struct tile_kernel *k = tile_kernels(s->problem); k->steps && !made; k++)
            if ((!time_block || k->steps == time_block) && tile_plan_set_up(s, k, &made, e))
                return -1;
    } else if (grid_values(s) < worth_tuning || (c && c->no_tune)) {
        for (const struct tile_kernel *k = tile_kernels(s->problem); k->steps && !made; k++)
            if ((!time_block || k->steps == time_block) && tile_plan_set_up(s, k, &made, e))
                return -1;
    } else if (tuner_choose_temporal(s, time_block, insist, e)) {
        return -1;
    }
    return 0;
}

int set_up_passes(cuda_state *s, const struct choice *c, bool insist, struct error *e)
{
    if (try_passes(s, c, insist, e)) {
        if (insist || e->code != ERROR_MEMORY)
            return -1;
        tile_plan_drop(s); /* one step at a time takes less */
    }
    if (s->fused)
        return 0;
    if (insist)
        return fail(
            e, ERROR_ENGINE,
            "no tile of the fused kernel fits: too many sources, receivers or walls with branches in one place%s",
            s->tile_chunk ? ", or no such --block" : "");
    captures_drop(s);
    boundary_region_drop(s->boundary_region);
    s->boundary_region = nullptr;
    branches_drop_pair(&s->branches);
    if (!s->layout.odd_count) { /* single steps need no map then */
        cudaFree(s->map);
        s->map = nullptr;
    }
    setup_free_grids(s);
    s->spare = 0;
    return setup_grids(s, e) || cuda_check(cudaDeviceSynchronize(), "grid", e)
               ? -1
               : 0; /* the steps run on a stream that waits for no other */
}

int open_state(void **out, struct requirement *r, const struct problem *p, const struct choice *c, struct error *e)
{
    cuda_state *s = new (std::nothrow) cuda_state();
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->problem = p;
    s->device = c ? c->device : 0;
    s->levels = level_count(p);
    s->audited = c && c->audit;
    struct passes passes = {};
    if (take_device(c, e) || rows_make(&s->rows, p, e) || layout_make(&s->layout, &s->rows, p, e) ||
        !(s->kernel = choose_kernel(p, &s->layout, c, e)) ||
        want_temporal(&passes, &s->kernel, p, &s->layout, &s->rows, c, e) ||
        fill_requirement(r, p, &s->layout, &s->rows, s->kernel, s->audited, &passes, c ? c->time_block : 0) ||
        check_device_memory(r, e))
        goto fail;
    s->spare = passes.wanted ? passes.spare : 0;
    s->block = s->kernel->block;
    if (c && c->block[0] > 0 && !passes.insist)
        s->block = {c->block[0], c->block[1], c->block[2]};
    if (!s->kernel->own_audio && !s->kernel->marches && s->kernel->block.z == 1 && s->block.z != 1) {
        fail(e, ERROR_USAGE, "--block %dx%dx%d: the %s kernel takes one plane along z", s->block.x, s->block.y,
             s->block.z, s->kernel->name);
        goto fail;
    }
    if (!s->kernel->own_audio &&
        (s->block.z < (s->kernel->marches ? 0 : 1) || (!s->kernel->marches && s->block.z > 64))) {
        fail(e, ERROR_USAGE, "--block %dx%dx%d: the %s kernel takes %s along z", s->block.x, s->block.y, s->block.z,
             s->kernel->name, s->kernel->marches ? "0 or more planes" : "1 to 64 threads");
        goto fail;
    }
    if (s->kernel->own_audio ? s->block.x != 32 || s->block.y > ROOM_THREADS / 32 || s->block.z < 1
                             : (int64_t)s->block.x * s->block.y * (s->kernel->marches ? 1 : s->block.z) > 1024) {
        fail(e, ERROR_USAGE, "--block %dx%dx%d: the %s kernel takes %s", s->block.x, s->block.y, s->block.z,
             s->kernel->name,
             s->kernel->own_audio ? "32 threads along x, at most 4 along y and 1 or more planes along z"
                                  : "at most 1024 threads");
        goto fail;
    }
    if (without_throwing(e, [&] { return setup_device(s, e); }))
        goto fail;
    if (tunes_steps(p, &s->layout, s->kernel, c) && without_throwing(e, [&] { return tuner_choose(s, e); }))
        goto fail;
    if (passes.wanted && without_throwing(e, [&] { return set_up_passes(s, c, passes.insist, e); }))
        goto fail;
    if (passes.wanted && !s->fused) { /* one step at a time is faster here */
        passes.wanted = false;
        fill_requirement(r, p, &s->layout, &s->rows, s->kernel, s->audited, &passes, 0);
    }
    /* after the tuner, which then times the field alone */
    if (bodies_setup(&s->bodies, p, s->layout.pitch, s->audited, e))
        goto fail;
    r->kernel = s->fused ? temporal_blocks.name : s->kernel->name;
    r->time_block = s->fused ? tile_plan_kernel(s)->steps : 0;
    r->in_place = s->fused && s->spare;
    *out = s;
    return 0;
fail:
    close_state(s);
    return -1;
}

int put_planes(cuda_state *s, size_t array, size_t z0, size_t nz, const void *values, struct error *e)
{
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    const struct rows *rows = &s->rows;
    const size_t real = precision_bytes(s->problem->precision), plane = s->layout.pitch * rows->ny;
    std::vector<char> slab(plane * real);
    s->history_is_old = true;
    char *grid = (char *)s->grids[grid_at(s, array == 0 ? s->phase : s->phase - 1)];
    for (size_t z = z0; z < z0 + nz; z++) {
        memset(slab.data(), 0, slab.size());
        for (size_t row = z * rows->ny; row < (z + 1) * rows->ny; row++)
            for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++) {
                const size_t x = rows->runs[r].start;
                memcpy(slab.data() + ((row - z * rows->ny) * s->layout.pitch + x) * real,
                       (const char *)values + ((row - z0 * rows->ny) * rows->nx + x) * real,
                       rows->runs[r].length * real);
            }
        if (cuda_check(cudaMemcpy(grid + z * plane * real, slab.data(), slab.size(), cudaMemcpyHostToDevice), "put", e))
            return -1;
    }
    return cuda_check(cudaDeviceSynchronize(), "put", e); /* the steps run on a stream that waits for no other */
}

int put(void *state, size_t array, size_t z0, size_t nz, const void *values, struct error *e)
{
    return without_throwing(e, [&] { return put_planes((cuda_state *)state, array, z0, nz, values, e); });
}

int get(void *state, size_t array, size_t z0, size_t nz, void *values, struct error *e)
{
    if (cuda_check(cudaSetDevice(((const cuda_state *)state)->device), "device", e))
        return -1;
    const cuda_state *s = (const cuda_state *)state;
    const size_t real = precision_bytes(s->problem->precision), pitch = s->layout.pitch, ny = s->rows.ny,
                 nx = s->rows.nx;
    const char *grid = (const char *)s->grids[grid_at(s, array == 0 ? s->phase : s->phase - 1)];
    return cuda_check(cudaMemcpy2D(values, nx * real, grid + z0 * pitch * ny * real, pitch * real, nx * real, nz * ny,
                                   cudaMemcpyDeviceToHost),
                      "get", e);
}

int run_steps(void *state, size_t steps, const struct block *b, struct error *e)
{
    if (cuda_check(cudaSetDevice(((const cuda_state *)state)->device), "device", e))
        return -1;
    return steps_run((cuda_state *)state, steps, b, e);
}

int take_audit(void *state, struct audit *a, struct error *e)
{
    if (cuda_check(cudaSetDevice(((const cuda_state *)state)->device), "device", e))
        return -1;
    return without_throwing(e, [&] { return energy_audit((cuda_state *)state, a, e); });
}

template <typename REAL> __global__ void plain_loop(REAL *u, const REAL *p, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        u[i] = p[i] - u[i];
}

int plain_pass(void *state, size_t passes, struct error *e)
{
    if (cuda_check(cudaSetDevice(((const cuda_state *)state)->device), "device", e))
        return -1;
    cuda_state *s = (cuda_state *)state;
    const size_t count = grid_values(s);
    for (size_t i = 0; i < passes; i++) {
        const unsigned blocks = (unsigned)((count + 255) / 256 < 1u << 30 ? (count + 255) / 256 : 1u << 30);
        if (s->problem->precision == PRECISION_DOUBLE)
            plain_loop<double>
                <<<blocks, 256, 0, s->stream>>>((double *)s->grids[1], (const double *)s->grids[0], count);
        else
            plain_loop<float><<<blocks, 256, 0, s->stream>>>((float *)s->grids[1], (const float *)s->grids[0], count);
    }
    return cuda_check(cudaGetLastError(), "plain loop", e) ||
           cuda_check(cudaStreamSynchronize(s->stream), "plain loop", e);
}

} // namespace

extern const struct stepper cuda_leapfrog = {require, open_state, run_steps,  put,
                                             get,     take_audit, plain_pass, close_state};
