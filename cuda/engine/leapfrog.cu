/* SPDX-License-Identifier: MIT */
/* The stepper of the leapfrog scheme on the CUDA engine (solver/engine.h). */
#include <cstring>
#include <mutex>
#include <new>
#include <vector>

#include "cuda/engine/device.cuh"
#include "cuda/engine/energy.cuh"
#include "cuda/engine/halos.cuh"
#include "cuda/engine/plane_states.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/engine/tuner.cuh"
#include "cuda/step/one_step.cuh"
#include "solver/engine.h"

namespace
{

/* --- memory requirement --- */

int plan_on_device(struct solver_plan *r, struct strategy_case *c, struct error *e)
{
    struct strategies_chosen chosen;
    if (strategies_choose(&chosen, c, e))
        return -1;
    double step_seconds;
    const bool untried = tuner_recall(&chosen, c, &step_seconds);
    strategies_plan(r, &chosen, c);
    r->cuda.untried = untried;
    r->step_seconds = step_seconds;
    return 0;
}

int make_plan(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e)
{
    const struct solver_options automatic = {};
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
        (uint64_t)grid_count(p) * p->points[0] * p->points[1] * p->points[2] * precision_bytes(p->precision);
    if (!leapfrog_of(p)->voxels ||
        (uint64_t)grid_count(p) * voxel_set_air(leapfrog_of(p)->voxels) * precision_bytes(p->precision) > available)
        return 0; /* a grid whose air alone does not fit is not scanned */
    if (rows_make(&rows, p, e))
        return -1;
    int status = layout_make(&layout, &rows, p, e);
    if (!status) {
        struct strategy_case which = {p, &layout, &rows, c ? c : &automatic, nullptr};
        status = without_throwing(e, [&] { return plan_on_device(r, &which, e); });
        layout_free(&layout);
    }
    rows_free(&rows);
    return status;
}

/* Fails before anything is allocated; fills r->available_bytes. */
int check_device_memory(struct solver_plan *r, struct error *e)
{
    size_t available = 0, total = 0;
    const uint64_t needed = r->field_bytes + r->boundary_bytes + r->channel_bytes;
    if (cuda_check(cudaMemGetInfo(&available, &total), "GPU memory", e))
        return -1;
    r->available_bytes = available;
    return needed <= available
               ? 0
               : fail(e, ERROR_MEMORY,
                      "out of GPU memory (%s needed for the grid, %s free); lower grid.rate, or use --engine cpu",
                      memory_text(needed), memory_text(available));
}

/* --- opening --- */

void close_state(void *state)
{
    cuda_state *s = (cuda_state *)state;
    if (!s)
        return;
    cudaSetDevice(s->device);
    while (s->open_count-- > 0)
        s->open[s->open_count].strategy->close(s->open[s->open_count].state, s);
    plane_states_drop(s);
    if (s->halo_streams.open) /* neighbours may still be reading the grids */
        for (struct device_pages &grid : s->memory)
            grid = device_pages();
    halos_drop(s);
    setup_free(s);
    layout_free(&s->layout);
    rows_free(&s->rows);
    delete s;
}

/* Opens a strategy on top of those that are open; it may decline. */
int open_strategy_of(cuda_state *s, struct strategy_offer *offer, const struct solver_options *c, struct error *e)
{
    struct open_strategy opened = {offer->strategy, nullptr};
    const int status = offer->strategy->open(&opened.state, s, offer, c, e);
    opened.strategy = offer->strategy; /* the tuner may have chosen another kernel of single steps */
    if (opened.state)
        s->open[s->open_count++] = opened; /* also after a failure, so that it is closed with the others */
    return status;
}

/* After temporal blocks have declined: reduces the memory to that of single steps. */
int shrink_to_single_steps(cuda_state *s, struct error *e)
{
    if (!s->layout.irregular_count)
        setup_free_map(s);
    setup_free_grids(s);
    s->spare = 0;
    return setup_grids(s, e) || cuda_check(cudaDeviceSynchronize(), "grid", e)
               ? -1
               : 0; /* the steps' stream does not wait for the default stream */
}

/* A requested --block applies to temporal blocks if those are required, else to single steps. */
int open_strategies(cuda_state *s, struct strategies_chosen *chosen, const struct solver_options *c, struct error *e)
{
    struct solver_options of_single = *c;
    if (chosen->blocks.insisted)
        memset(of_single.block, 0, sizeof of_single.block);
    chosen->single.tuned =
        chosen->single.tuned && !chosen->blocks.wanted; /* otherwise only if they turn out to be faster */
    if (open_strategy_of(s, &chosen->single, &of_single, e))
        return -1;
    if (!chosen->blocks.wanted)
        return 0;
    const int status = open_strategy_of(s, &chosen->blocks, c, e);
    chosen->single.strategy = s->open[0].strategy = one_step_of(s)->kernel; /* tuned in between */
    if (status)
        return -1;
    chosen->blocks.wanted = s->open_count > 1;
    return chosen->blocks.wanted ? 0 : shrink_to_single_steps(s, e);
}

int fill_state(cuda_state *s, struct solver_plan *r, const struct solver_options *c, struct error *e)
{
    const struct problem *p = s->problem;
    struct strategies_chosen chosen;
    if (take_device(c, e) || rows_make(&s->rows, p, e) || layout_make(&s->layout, &s->rows, p, e))
        return -1;

    struct strategy_case which = {p, &s->layout, &s->rows, c, nullptr};
    if (strategies_choose(&chosen, &which, e))
        return -1;
    strategies_plan(r, &chosen, &which);
    s->spare = chosen.blocks.wanted ? chosen.blocks.spare : 0;
    if (check_device_memory(r, e) || setup_device(s, e) || open_strategies(s, &chosen, c, e))
        return -1;
    strategies_plan(r, &chosen, &which);
    r->step_seconds = s->step_seconds;
    if (partitions_restart(s->partitions, e)) /* the tuner has taken steps */
        return -1;
    return bodies_setup(&s->bodies, p, s->layout.pitch, s->audited,
                        e); /* after the tuner, which times the field without instruments */
}

/* Solvers open one at a time on a device, as each chooses by the free memory, and times kernels. */
std::mutex &opening_on(int device)
{
    static std::mutex of_device[DEVICES_MAX];
    return of_device[(unsigned)device % DEVICES_MAX];
}

int open_state(void **out, struct solver_plan *r, const struct problem *p, const struct solver_options *c,
               struct error *e)
{
    const struct solver_options automatic = {};
    cuda_state *s = new (std::nothrow) cuda_state();
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->problem = p;
    s->device = c ? c->device : 0;
    s->grid_count = grid_count(p);
    s->audited = c && c->audit;
    s->tune_anew = c && c->cuda.tune_anew;
    s->planned_steps = c ? c->steps : 0;
    if (without_throwing(e, [&] {
            const std::lock_guard<std::mutex> alone(opening_on(s->device));
            return fill_state(s, r, c ? c : &automatic, e);
        })) {
        close_state(s);
        return -1;
    }
    *out = s;
    return 0;
}

/* --- the field --- */

int use_device_of(const void *state, struct error *e)
{
    return cuda_check(cudaSetDevice(((const cuda_state *)state)->device), "device", e);
}

/* Copies the air of a plane, run by run, into a slab [ny][pitch] of zeros. */
void copy_air(char *slab, const cuda_state *s, size_t z, const char *values, size_t real)
{
    const struct rows *rows = &s->rows;
    for (size_t y = 0; y < rows->ny; y++)
        for (uint64_t r = rows->run_start[z * rows->ny + y]; r < rows->run_start[z * rows->ny + y + 1]; r++) {
            const size_t x = rows->runs[r].start;
            memcpy(slab + (y * s->layout.pitch + x) * real, values + (y * rows->nx + x) * real,
                   rows->runs[r].length * real);
        }
}

int put_planes(cuda_state *s, size_t array, size_t z0, size_t nz, const void *values, struct error *e)
{
    const size_t real = precision_bytes(s->problem->precision), plane = s->layout.pitch * s->rows.ny * real,
                 given = s->rows.nx * s->rows.ny * real;
    std::vector<char> slab(plane);
    char *grid = (char *)s->grids[grid_at(s, array == 0 ? s->phase : s->phase - 1)];
    s->history_is_old = true;
    for (size_t z = z0; z < z0 + nz; z++) {
        memset(slab.data(), 0, slab.size());
        copy_air(slab.data(), s, z, (const char *)values + (z - z0) * given, real);
        if (cuda_check(cudaMemcpyAsync(grid + z * plane, slab.data(), slab.size(), cudaMemcpyHostToDevice, s->stream),
                       "put", e) ||
            cuda_check(cudaStreamSynchronize(s->stream), "put", e)) /* the slab is reused */
            return -1;
    }
    return 0;
}

int put(void *state, size_t array, size_t z0, size_t nz, const void *values, struct error *e)
{
    return use_device_of(state, e) ||
           without_throwing(e, [&] { return put_planes((cuda_state *)state, array, z0, nz, values, e); });
}

int get(void *state, size_t array, size_t z0, size_t nz, void *values, struct error *e)
{
    const cuda_state *s = (const cuda_state *)state;
    const size_t real = precision_bytes(s->problem->precision), pitch = s->layout.pitch, ny = s->rows.ny,
                 nx = s->rows.nx;
    const char *grid = (const char *)s->grids[grid_at(s, array == 0 ? s->phase : s->phase - 1)];
    return use_device_of(state, e) ||
           cuda_check(cudaMemcpy2DAsync(values, nx * real, grid + z0 * pitch * ny * real, pitch * real, nx * real,
                                        nz * ny, cudaMemcpyDeviceToHost, s->stream),
                      "get", e) ||
           cuda_check(cudaStreamSynchronize(s->stream), "get", e);
}

int run_steps(void *state, size_t steps, const struct block *b, struct error *e)
{
    return leapfrog_run((cuda_state *)state, steps, b, nullptr, e);
}

int take_audit(void *state, struct audit *a, struct error *e)
{
    return use_device_of(state, e) || without_throwing(e, [&] { return energy_audit((cuda_state *)state, a, e); });
}

template <typename REAL> __global__ void plain_loop(REAL *u, const REAL *p, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        u[i] = p[i] - u[i];
}

int plain_pass(void *state, size_t passes, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    const size_t count = grid_values(s);
    const unsigned blocks = (unsigned)((count + 255) / 256 < 1u << 30 ? (count + 255) / 256 : 1u << 30);
    if (use_device_of(state, e))
        return -1;
    for (size_t i = 0; i < passes; i++)
        if (s->problem->precision == PRECISION_DOUBLE)
            plain_loop<double>
                <<<blocks, 256, 0, s->stream>>>((double *)s->grids[1], (const double *)s->grids[0], count);
        else
            plain_loop<float><<<blocks, 256, 0, s->stream>>>((float *)s->grids[1], (const float *)s->grids[0], count);
    return cuda_check(cudaGetLastError(), "plain loop", e) ||
           cuda_check(cudaStreamSynchronize(s->stream), "plain loop", e);
}

} // namespace

int leapfrog_run(cuda_state *s, size_t steps, const struct block *b, const struct exchanges *x, struct error *e)
{
    plane_states_forget_sums(s);
    if (use_device_of(s, e) || run_blocks(s, steps, b, x, e))
        return -1;
    s->steps += steps;
    return 0;
}

extern const struct stepper cuda_leapfrog = {make_plan,
                                             open_state,
                                             run_steps,
                                             put,
                                             get,
                                             take_audit,
                                             plain_pass,
                                             close_state,
                                             &cuda_leapfrog_states,
                                             &cuda_leapfrog_state_blocks,
                                             &cuda_leapfrog_halos};
