/* SPDX-License-Identifier: MIT */
/* Sediment: how ghosts follow from the boundary points beside them, and their values before the first step. */
#include "cuda/stencils/sediment/sediment.cuh"

#include <new>

extern "C" {
#include "cuda/engine/check.h"
}
#include "cuda/engine/device.cuh"

namespace
{

/* On the device besides the arrays: a value for each point of the four sides, [2 (nx + ny)]. */
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

/* A thread for each point of each side, one side after the other. */
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

/* In both copies: a step that computes h or s alone reads the other from either of them. */
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
    *extra = s; /* the engine closes it, whatever happens here */
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
