/* SPDX-License-Identifier: MIT */
/* The stepper of the schemes of plain arrays: choice of a kernel, device memory, graphs of steps, tuning of the
 * block. */
#include "cuda/stencils/arrays.cuh"

#include <cstdio>
#include <new>
#include <utility>
#include <vector>

extern "C" {
#include "base/memory.h"
#include "solver/find_kernel.h"
}
#include "cuda/engine/device.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/engine/tuner.cuh"
#include "solver/engine.h"

/* The kernel table of the CUDA engine for the schemes of plain arrays, the fastest first for
 * each scheme. */

extern const struct cuda_array_kernel sweep_registers, sweep_coarsened, sweep_shared, sweep_basic, sweep_general;
extern const struct cuda_array_kernel derivative_registers, derivative_wide, derivative_pencils;
extern const struct cuda_array_kernel sediment_fused, sediment_marching, sediment_opt_1, sediment_opt_2, sediment_opt_3,
    sediment_baseline;

const struct cuda_array_kernel *const cuda_array_kernels[] = {
    &sweep_registers,      &sweep_coarsened, &sweep_shared,       &sweep_basic,       &sweep_general,
    &derivative_registers, &derivative_wide, &derivative_pencils, &sediment_fused,    &sediment_marching,
    &sediment_opt_1,       &sediment_opt_2,  &sediment_opt_3,     &sediment_baseline, nullptr,
};

namespace
{

struct array_state {
    struct cuda_array_grid grid;
    const struct cuda_array_kernel *kernel;
    const struct scheme *scheme;
    size_t real, lead; /* size of a value in bytes; number of values before the first of a row */
    int device;
    void *memory[2 * ARRAYS_MAX];
    size_t memory_count, memory_bytes;
    int swapped;               /* 1 after an odd number of exchanges of now and next */
    cudaGraphExec_t graphs[2]; /* GRAPH_STEPS steps, by `swapped` */
};

const size_t row_bytes = 128; /* rows begin at multiples of this */

/* Kernel `index` among those that step a scheme; null beyond the last. */
const struct cuda_array_kernel *kernel_of_scheme(const struct scheme *scheme, size_t index)
{
    for (size_t i = 0; cuda_array_kernels[i]; i++)
        if (cuda_array_kernels[i]->scheme == scheme && index-- == 0)
            return cuda_array_kernels[i];
    return nullptr;
}

struct request {
    const struct problem *problem;
    const struct solver_options *choice;
};

const char *kernel_of_table(const void *context, size_t index, const char **reason)
{
    const request *r = (const request *)context;
    const struct solver_options *c = r->choice;
    const struct cuda_array_kernel *k = kernel_of_scheme(r->problem->scheme, index);
    if (!k)
        return nullptr;
    const bool chosen = c && c->block[0] > 0;
    *reason = k->applicable(r->problem, chosen ? block_shape{c->block[0], c->block[1], c->block[2]} : k->block);
    return k->name;
}

const struct cuda_array_kernel *choose_kernel(const struct problem *p, const struct solver_options *c, struct error *e)
{
    const request r = {p, c};
    const struct kernel_table table = {"cuda", p->scheme->name, kernel_of_table, &r};
    size_t index;
    return find_kernel(&index, &table, c ? c->kernel : nullptr, e) ? nullptr : kernel_of_scheme(p->scheme, index);
}

size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Computes pitch, planes and memory from the problem only. */
void lay_out(array_state *s, const struct problem *p)
{
    s->scheme = p->scheme;
    s->real = precision_bytes(p->precision);
    const size_t line = row_bytes / s->real, ghosts = (size_t)s->scheme->ghosts;
    s->lead = ghosts ? line : 0;
    s->grid.problem = p;
    for (int axis = 0; axis < 3; axis++)
        s->grid.n[axis] = (int64_t)p->points[axis];
    const size_t pitch = round_up(s->lead + p->points[0] + ghosts, line), rows = p->points[1] + 2 * ghosts;
    s->grid.pitch = (int64_t)pitch;
    s->grid.plane = (int64_t)(pitch * rows);
    s->memory_count = (size_t)(s->scheme->array_count + s->scheme->stepped);
    s->memory_bytes = pitch * rows * p->points[2] * s->real + 2 * row_bytes;
}

int make_plan(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e)
{
    array_state s = {};
    size_t available = 0, total = 0;
    if (refuse_temporal_blocks(c, e) || take_device(c, e) ||
        cuda_check(cudaMemGetInfo(&available, &total), "GPU memory", e))
        return -1;
    const struct cuda_array_kernel *kernel = choose_kernel(p, c, e);
    if (!kernel)
        return -1;
    lay_out(&s, p);
    r->engine = "cuda";
    r->kernel = kernel->name;
    r->on_device = true;
    r->field_bytes = s.memory_count * s.memory_bytes;
    r->available_bytes = available;
    r->air_points = (uint64_t)p->points[0] * p->points[1] * p->points[2];
    return 0;
}

void drop_graphs(array_state *s)
{
    for (cudaGraphExec_t &graph : s->graphs) {
        if (graph)
            cudaGraphExecDestroy(graph);
        graph = nullptr;
    }
}

void close_state(void *state)
{
    array_state *s = (array_state *)state;
    if (!s)
        return;
    cudaSetDevice(s->device);
    drop_graphs(s);
    if (s->grid.extra)
        s->kernel->close(s->grid.extra);
    for (void *memory : s->memory)
        if (memory)
            cudaFree(memory);
    if (s->grid.stream)
        cudaStreamDestroy(s->grid.stream);
    delete s;
}

void swap_arrays(array_state *s)
{
    for (int i = 0; i < s->scheme->stepped; i++)
        std::swap(s->grid.now[i], s->grid.next[i]);
    s->swapped ^= s->scheme->stepped > 0;
}

int enqueue_step(array_state *s, struct error *e)
{
    s->kernel->step(&s->grid);
    swap_arrays(s);
    return cuda_check(cudaGetLastError(), s->kernel->name, e);
}

/* GRAPH_STEPS is even: after a replay now and next are back in their positions. */
int make_graph(array_state *s, struct error *e)
{
    cudaGraph_t graph = nullptr;
    if (cuda_check(cudaStreamBeginCapture(s->grid.stream, cudaStreamCaptureModeThreadLocal), "step graph", e))
        return -1;
    int status = 0;
    for (int i = 0; i < GRAPH_STEPS && !status; i++)
        status = enqueue_step(s, e);
    const cudaError_t ended = cudaStreamEndCapture(s->grid.stream, &graph);
    if (!status)
        status = cuda_check(ended, "step graph", e) ||
                 cuda_check(cudaGraphInstantiate(&s->graphs[s->swapped], graph, 0), "step graph", e);
    if (graph)
        cudaGraphDestroy(graph);
    return status ? -1 : 0;
}

int enqueue(array_state *s, size_t steps, struct error *e)
{
    if (s->kernel->prepare) {
        s->kernel->prepare(&s->grid);
        if (cuda_check(cudaGetLastError(), s->kernel->name, e))
            return -1;
    }
    for (; steps >= GRAPH_STEPS; steps -= GRAPH_STEPS)
        if ((!s->graphs[s->swapped] && make_graph(s, e)) ||
            cuda_check(cudaGraphLaunch(s->graphs[s->swapped], s->grid.stream), "step graph", e))
            return -1;
    for (; steps > 0; steps--)
        if (enqueue_step(s, e))
            return -1;
    return 0;
}

int run_steps(void *state, size_t steps, const struct block *b, struct error *e)
{
    array_state *s = (array_state *)state;
    (void)b;
    return cuda_check(cudaSetDevice(s->device), "device", e) || enqueue(s, steps, e) ||
           cuda_check(cudaStreamSynchronize(s->grid.stream), s->kernel->name, e);
}

/* Steps with another block for the tuner, while the arrays are zero. */
int try_block(void *state, struct block_shape block, size_t steps, cudaStream_t *stream, struct error *e)
{
    array_state *s = (array_state *)state;
    if (s->grid.block.x != block.x || s->grid.block.y != block.y || s->grid.block.z != block.z)
        drop_graphs(s);
    s->grid.block = block;
    if (stream)
        *stream = s->grid.stream;
    return steps ? enqueue(s, steps, e) : 0;
}

int tune(array_state *s, const struct problem *p, struct error *e)
{
    char key[256];
    struct block_shape candidates[CANDIDATES_MAX];
    int count = 0;
    for (int i = 0; i < CANDIDATES_MAX && s->kernel->candidates[i].x; i++)
        if (!s->kernel->applicable(p, s->kernel->candidates[i]))
            candidates[count++] = s->kernel->candidates[i];
    const int kind = p->scheme->work ? p->scheme->work(p) : 0;
    snprintf(key, sizeof key, "%s/%s|%zu %zu %zu|%s|%d", s->scheme->name, s->kernel->name, p->points[0], p->points[1],
             p->points[2], precision_names[p->precision], kind);
    return count ? tuner_choose_block(&s->grid.block, key, candidates, (size_t)count, try_block, s, e) : 0;
}

int allocate(array_state *s, struct error *e)
{
    const size_t first = (size_t)s->scheme->ghosts * (size_t)s->grid.pitch + s->lead;
    if (cuda_check(cudaStreamCreateWithFlags(&s->grid.stream, cudaStreamNonBlocking), "stream", e))
        return -1;
    for (size_t i = 0; i < s->memory_count; i++) {
        if (cuda_check(cudaMalloc(&s->memory[i], s->memory_bytes), "grid", e) ||
            cuda_check(cudaMemset(s->memory[i], 0, s->memory_bytes), "grid", e))
            return -1;
        void *point = (char *)s->memory[i] + row_bytes + first * s->real;
        if (i < (size_t)s->scheme->array_count)
            s->grid.now[i] = point;
        else
            s->grid.next[i - (size_t)s->scheme->array_count] = point;
    }
    if (s->kernel->open && s->kernel->open(&s->grid.extra, &s->grid, e))
        return -1;
    return cuda_check(cudaDeviceSynchronize(), "set-up", e);
}

int open_state(void **out, struct solver_plan *r, const struct problem *p, const struct solver_options *c,
               struct error *e)
{
    if (make_plan(r, p, c, e))
        return -1;
    if (r->field_bytes > r->available_bytes)
        return fail(e, ERROR_MEMORY,
                    "out of GPU memory (%s needed for the grid, %s free); use fewer points, or --engine cpu",
                    memory_text(r->field_bytes), memory_text(r->available_bytes));
    array_state *s = new (std::nothrow) array_state();
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    lay_out(s, p);
    s->device = c ? c->device : 0;
    s->kernel = choose_kernel(p, c, e);
    s->grid.block = c && c->block[0] > 0 ? block_shape{c->block[0], c->block[1], c->block[2]} : s->kernel->block;
    const bool tuned = !(c && (c->block[0] > 0 || c->cuda.no_tune)) && r->air_points >= (1u << 20);
    if (allocate(s, e) || (tuned && without_throwing(e, [&] { return tune(s, p, e); }))) {
        close_state(s);
        return -1;
    }
    struct kernel_figures figures = {};
    if (s->kernel->figures)
        s->kernel->figures(&figures, p, s->grid.block);
    cudaGetLastError();
    r->cuda.block[0] = s->grid.block.x;
    r->cuda.block[1] = s->grid.block.y;
    r->cuda.block[2] = s->grid.block.z;
    r->cuda.registers = figures.registers;
    r->cuda.shared_bytes = figures.shared_bytes;
    r->cuda.occupancy = figures.occupancy;
    *out = s;
    return 0;
}

/* Sets both copies of a stepped array, so that points that no step writes agree in both. */
int put(void *state, size_t array, size_t z0, size_t nz, const void *values, struct error *e)
{
    array_state *s = (array_state *)state;
    const struct cuda_array_grid *g = &s->grid;
    const size_t width = (size_t)g->n[0] * s->real, height = (size_t)g->n[1];
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    for (size_t z = 0; z < nz; z++)
        for (int copy = 0; copy < (array < (size_t)s->scheme->stepped ? 2 : 1); copy++) {
            char *to = (char *)(copy ? g->next[array] : g->now[array]) + (z0 + z) * (size_t)g->plane * s->real;
            if (cuda_check(cudaMemcpy2D(to, (size_t)g->pitch * s->real, (const char *)values + z * width * height,
                                        width, width, height, cudaMemcpyHostToDevice),
                           "put", e))
                return -1;
        }
    return cuda_check(cudaDeviceSynchronize(), "put", e); /* the steps run on a stream that does not wait for others */
}

int get(void *state, size_t array, size_t z0, size_t nz, void *values, struct error *e)
{
    const array_state *s = (const array_state *)state;
    const struct cuda_array_grid *g = &s->grid;
    const size_t width = (size_t)g->n[0] * s->real, height = (size_t)g->n[1];
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    for (size_t z = 0; z < nz; z++)
        if (cuda_check(cudaMemcpy2D((char *)values + z * width * height, width,
                                    (const char *)g->now[array] + (z0 + z) * (size_t)g->plane * s->real,
                                    (size_t)g->pitch * s->real, width, height, cudaMemcpyDeviceToHost),
                       "get", e))
            return -1;
    return 0;
}

/* These schemes have no energy: `stored` is the sum of the first array, computed on the host. */
int take_sum(void *state, struct audit *a, struct error *e)
{
    const array_state *s = (const array_state *)state;
    const size_t plane = (size_t)s->grid.n[0] * (size_t)s->grid.n[1];
    *a = {};
    return without_throwing(e, [&] {
        std::vector<char> values(plane * s->real);
        for (size_t z = 0; z < (size_t)s->grid.n[2]; z++) {
            if (get(state, 0, z, 1, values.data(), e))
                return -1;
            for (size_t i = 0; i < plane; i++)
                a->stored += s->real == sizeof(double) ? ((const double *)values.data())[i]
                                                       : (double)((const float *)values.data())[i];
        }
        return 0;
    });
}

int no_plain_loop(void *state, size_t passes, struct error *e)
{
    (void)state;
    (void)passes;
    return fail(
        e, ERROR_ENGINE,
        "the plain loop is available for the leapfrog scheme only; this scheme is compared with the copy bandwidth");
}

} // namespace

const char *cuda_array_kernel_name(const struct scheme *scheme, size_t index)
{
    const struct cuda_array_kernel *k = kernel_of_scheme(scheme, index);
    return k ? k->name : nullptr;
}

extern const struct stepper cuda_arrays = {make_plan,     open_state,  run_steps, put,     get,    take_sum,
                                           no_plain_loop, close_state, nullptr,   nullptr, nullptr};
