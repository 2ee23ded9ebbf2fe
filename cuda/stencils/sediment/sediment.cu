/* SPDX-License-Identifier: MIT */
/* The sediment scheme: launches of its kernels, and their rows of the kernel table. The methods,
 * not the code, are those of Su et al. 2013 (baseline, read-only cache, shared memory, halo
 * threads). Two further methods stream along y: h or s separately ("marching"), and both
 * together ("fused"). */
#include "cuda/stencils/sediment/sediment.cuh"

#include <new>

extern "C" {
#include "cuda/engine/check.h"
}
#include "cuda/engine/device.cuh"

namespace
{

basin make_basin(const struct cuda_array_grid *g)
{
    basin b = {};
    b.h = (const double *)g->now[0];
    b.s = (const double *)g->now[1];
    b.alpha = (const double *)g->now[2];
    b.beta = (const double *)g->now[3];
    b.h_next = (double *)g->next[0];
    b.s_next = (double *)g->next[1];
    b.nx = (int)g->n[0];
    b.ny = (int)g->n[1];
    b.pitch = g->pitch;
    b.f = sediment_factors_of(sediment_of(g->problem));
    b.edges[0] = sediment_edges(g);
    b.edges[1] = b.edges[0] + g->n[1];
    b.edges[2] = b.edges[1] + g->n[1];
    b.edges[3] = b.edges[2] + g->n[0];
    b.rows = g->block.z;
    return b;
}

enum method { BASELINE, OPT_1, OPT_2, OPT_3, STREAMING, FUSED };

template <enum method METHOD> sediment_kernels kernels_of()
{
    switch (METHOD) {
    case BASELINE:
    case OPT_1:
        return sediment_direct(METHOD == OPT_1);
    case OPT_2:
    case OPT_3:
        return sediment_tiled(METHOD == OPT_3);
    default:
        return sediment_streaming(METHOD == FUSED);
    }
}

/* Bytes of shared memory of a block: one or two products for each point of the tile and its halo. */
template <enum method METHOD> size_t shared_bytes(struct block_shape block, bool with_mud)
{
    const int halo = METHOD == OPT_3 ? 0 : 2;
    const size_t points = (size_t)(block.x + halo) * (size_t)(block.y + halo);
    return METHOD == OPT_2 || METHOD == OPT_3 ? points * sizeof(double) * (with_mud ? 2 : 1) : 0;
}

template <enum method METHOD> void take_step(const struct cuda_array_grid *g)
{
    const sediment_problem &p = *sediment_of(g->problem);
    const struct block_shape block = g->block;
    const bool streams = METHOD >= STREAMING;
    const int halo = METHOD == OPT_3 ? 2 : 0;
    const int columns = streams ? block.x / 32 * SEDIMENT_STREAMING_COLUMNS : block.x - halo;
    const int rows = streams ? block.y * block.z : block.y - halo;
    const dim3 blocks((unsigned)((g->n[0] + columns - 1) / columns), (unsigned)((g->n[1] + rows - 1) / rows));
    const dim3 threads((unsigned)block.x, (unsigned)block.y);
    const sediment_kernels f = kernels_of<METHOD>();
    const basin b = make_basin(g);
    if (f.h && (p.part & SEDIMENT_H))
        f.h<<<blocks, threads, shared_bytes<METHOD>(block, true), g->stream>>>(b);
    if (p.part & SEDIMENT_S)
        f.s[p.conservative]<<<blocks, threads, shared_bytes<METHOD>(block, false), g->stream>>>(b);
}

/* Resources of the kernel that computes the problem's part; of the one for h if there are two. */
template <enum method METHOD>
void figures(struct kernel_figures *out, const struct problem *p, struct block_shape block)
{
    const sediment_kernels f = kernels_of<METHOD>();
    const bool of_h = f.h && (sediment_of(p)->part & SEDIMENT_H);
    figures_of(out, of_h ? f.h : f.s[sediment_of(p)->conservative], block.x * block.y,
               shared_bytes<METHOD>(block, of_h));
}

template <enum method METHOD> const char *applicable(const struct problem *p, struct block_shape block)
{
    const bool streams = METHOD >= STREAMING;
    if (METHOD == FUSED && sediment_of(p)->part != SEDIMENT_BOTH)
        return "the fused kernel cannot compute only one of h and s";
    if (p->points[0] > (size_t)INT32_MAX / 2 || p->points[1] > (size_t)INT32_MAX / 2)
        return "a side of the basin must have at most 2^30 - 1 points";
    if (block.x < 1 || block.y < 1 || block.x > 1024 || block.y > 1024 ||
        block.x * block.y > (streams ? SEDIMENT_STREAMING_THREADS : 1024))
        return streams ? "a block of a marching kernel must have at most 256 threads"
                       : "a block must have at most 1024 threads";
    if (streams && (block.x % 32 || block.z < 1))
        return "a block of a marching kernel must be a multiple of 32 threads along x and at least 1 row per warp "
               "along z";
    if (!streams && block.z > 1)
        return "its blocks must be one thread deep";
    if (METHOD == OPT_3 && (block.x < 3 || block.y < 3))
        return "its blocks must have at least three threads along x and y, as the outermost ones load the halo";
    if (shared_bytes<METHOD>(block, true) > 48 * 1024)
        return "the tile of this block does not fit into 48 KiB of shared memory";
    const int rows = streams ? block.y * (block.z < 1 << 20 ? block.z : 1 << 20) : block.y - (METHOD == OPT_3 ? 2 : 0);
    return p->points[1] / (size_t)rows >= 65535 ? "too many blocks along y; use taller blocks" : nullptr;
}

} // namespace

#define SEDIMENT_METHOD(method)                                                                                        \
    applicable<method>, take_step<method>, figures<method>, sediment_fill_ghosts, sediment_open_edges,                 \
        sediment_close_edges

/* Published block sizes are never tuned. Those of the streaming kernels are: z is the number of
 * rows per warp. */
extern const struct cuda_array_kernel sediment_baseline = {
    "baseline", &sediment_scheme, {32, 4, 1}, {}, SEDIMENT_METHOD(BASELINE)};

extern const struct cuda_array_kernel sediment_opt_1 = {
    "opt-1", &sediment_scheme, {32, 4, 1}, {}, SEDIMENT_METHOD(OPT_1)};

extern const struct cuda_array_kernel sediment_opt_2 = {
    "opt-2", &sediment_scheme, {32, 4, 1}, {}, SEDIMENT_METHOD(OPT_2)};

extern const struct cuda_array_kernel sediment_opt_3 = {
    "opt-3", &sediment_scheme, {34, 6, 1}, {}, SEDIMENT_METHOD(OPT_3)};

extern const struct cuda_array_kernel sediment_marching = {"marching",
                                                           &sediment_scheme,
                                                           {128, 1, 32},
                                                           {{128, 1, 8},
                                                            {128, 1, 16},
                                                            {128, 1, 32},
                                                            {128, 1, 64},
                                                            {32, 4, 16},
                                                            {32, 4, 32},
                                                            {64, 2, 16},
                                                            {64, 2, 32},
                                                            {256, 1, 16},
                                                            {256, 1, 32}},
                                                           SEDIMENT_METHOD(STREAMING)};

extern const struct cuda_array_kernel sediment_fused = {"fused",
                                                        &sediment_scheme,
                                                        {128, 1, 32},
                                                        {{128, 1, 16},
                                                         {128, 1, 24},
                                                         {128, 1, 32},
                                                         {128, 1, 48},
                                                         {128, 1, 64},
                                                         {32, 4, 16},
                                                         {32, 4, 32},
                                                         {64, 2, 16},
                                                         {64, 2, 32},
                                                         {64, 2, 64},
                                                         {256, 1, 32}},
                                                        SEDIMENT_METHOD(FUSED)};

/* --- ghosts from adjacent boundary points, and their values before the first step --- */

namespace
{

/* Device memory besides the arrays: a value for each point of the four sides, [2 (nx + ny)]. */
struct sides {
    double *inflow[2]; /* of sand, of mud */
    sediment_edge *edges;
};

/* sediment_edge_at() of solver/schemes/sediment/sediment.h, on the device. */
__device__ sediment_edge make_edge(double sand, double mud, const sediment_problem &p, int side, double alpha,
                                   double beta)
{
    const double spacing = p.spacing[side / 2];
    const double a = sand != 0.0 && alpha != 0.0 ? sand * p.compaction[0] * spacing / alpha : 0.0;
    const double c = mud != 0.0 && beta != 0.0 ? mud * p.compaction[1] * spacing / beta : 0.0;
    if (a + c == 0.0)
        return {0.0, 0.0, 1.0};
    return {a + c, 2.0 * a / (a + c), -1.0};
}

/* Arguments of fill_ghosts: the arrays that are constant in struct basin, to be written. */
struct ghosted {
    double *h[2], *s[2], *alpha, *beta; /* h and s: now and next */
    sides boundary;
    sediment_problem problem;
    int nx, ny;
    int64_t pitch;
};

/* One thread for each point of each side, side by side. */
__global__ void fill_ghosts(const ghosted g)
{
    const int at = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= 2 * (g.nx + g.ny))
        return;
    const int side = at < g.ny ? 0 : at < 2 * g.ny ? 1 : at < 2 * g.ny + g.nx ? 2 : 3;
    const int i = side < 2 ? at - side * g.ny : at - 2 * g.ny - (side - 2) * g.nx;
    const int64_t x = side == 0 ? 0 : side == 1 ? g.nx - 1 : i, y = side == 2 ? 0 : side == 3 ? g.ny - 1 : i;
    const int64_t point = y * g.pitch + x, beyond = point + (side % 2 ? 1 : -1) * (side < 2 ? 1 : g.pitch);
    const sediment_edge edge =
        make_edge(g.boundary.inflow[0][at], g.boundary.inflow[1][at], g.problem, side, g.alpha[point], g.beta[point]);
    g.boundary.edges[at] = edge;
    g.alpha[beyond] = g.alpha[point];
    g.beta[beyond] = g.beta[point];
    for (int copy = 0; copy < 2; copy++) {
        g.h[copy][beyond] = ghost_h(edge, g.h[copy][point]);
        g.s[copy][beyond] = ghost_s(edge, g.s[copy][point]);
    }
}

} // namespace

const sediment_edge *sediment_edges(const struct cuda_array_grid *g)
{
    return ((const sides *)g->extra)->edges;
}

/* In both copies: a step that computes only h or s reads the other one from either copy. */
void sediment_fill_ghosts(const struct cuda_array_grid *g)
{
    ghosted all = {};
    for (int copy = 0; copy < 2; copy++) {
        all.h[copy] = (double *)(copy ? g->next[0] : g->now[0]);
        all.s[copy] = (double *)(copy ? g->next[1] : g->now[1]);
    }
    all.alpha = (double *)g->now[2];
    all.beta = (double *)g->now[3];
    all.boundary = *(const sides *)g->extra;
    all.problem = *sediment_of(g->problem);
    all.nx = (int)g->n[0];
    all.ny = (int)g->n[1];
    all.pitch = g->pitch;
    const unsigned threads = 128, points = 2 * (unsigned)(g->n[0] + g->n[1]);
    fill_ghosts<<<(points + threads - 1) / threads, threads, 0, g->stream>>>(all);
}

void sediment_close_edges(void *extra)
{
    sides *s = (sides *)extra;
    if (!s)
        return;
    cudaFree(s->inflow[0]);
    cudaFree(s->inflow[1]);
    cudaFree(s->edges);
    delete s;
}

int sediment_open_edges(void **extra, const struct cuda_array_grid *g, struct error *e)
{
    const sediment_problem &p = *sediment_of(g->problem);
    const size_t length[4] = {(size_t)g->n[1], (size_t)g->n[1], (size_t)g->n[0], (size_t)g->n[0]};
    const size_t points = 2 * (length[0] + length[2]);
    sides *s = new (std::nothrow) sides();
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    *extra = s; /* the engine closes it, even after a failure */
    if (upload<sediment_edge>(&s->edges, nullptr, points, "sides", e))
        return -1;
    for (int sediment = 0; sediment < 2; sediment++) {
        if (upload<double>(&s->inflow[sediment], nullptr, points, "inflow", e))
            return -1;
        size_t at = 0;
        for (int side = 0; side < 4; at += length[side++])
            if (p.inflow[sediment][side] &&
                cuda_check(cudaMemcpy(s->inflow[sediment] + at, p.inflow[sediment][side], length[side] * sizeof(double),
                                      cudaMemcpyHostToDevice),
                           "inflow", e))
                return -1;
    }
    return 0;
}
