/* SPDX-License-Identifier: MIT */
/* The sweep scheme: arguments and checks that its methods share. */
#include "cuda/stencils/sweep/sweep.cuh"

template <typename REAL> sweep<REAL> sweep_arguments(const struct cuda_array_grid *g)
{
    const struct sweep_problem *p = sweep_of(g->problem);
    sweep<REAL> s = {(const REAL *)g->now[0],
                     (REAL *)g->next[0],
                     {g->n[0], g->n[1], g->n[2]},
                     {1, g->pitch, g->plane},
                     {},
                     g->block.z,
                     false};
    for (int i = 0; i < SWEEP_COEFFICIENTS_MAX; i++)
        s.c[i] = (REAL)p->coefficients[i];
    s.reversed = g->now[0] < g->next[0]; /* the copies change places with every step */
    return s;
}

template sweep<float> sweep_arguments<float>(const struct cuda_array_grid *);
template sweep<double> sweep_arguments<double>(const struct cuda_array_grid *);

const char *sweep_refuse_stencil(const struct problem *p)
{
    return sweep_of(p)->dimensions == 3 && sweep_of(p)->radius == 1
               ? nullptr
               : "only the general kernel has stencils other than the 3D 7-point one";
}

const char *sweep_refuse_threads(struct block_shape b, int64_t threads, int64_t threads_max)
{
    const char *reason = refuse_block(b);
    if (reason || threads <= threads_max)
        return reason;
    return threads_max == BLOCK_THREADS_MAX ? "a block has at most 1024 threads"
                                            : "a block of the registers kernel has at most 256 threads";
}

const char *sweep_refuse_block(struct block_shape b)
{
    const char *reason = sweep_refuse_threads(b, (int64_t)b.x * b.y * b.z, BLOCK_THREADS_MAX);
    return reason || b.z <= 64 ? reason : "a block has at most 64 threads along z";
}

const char *sweep_refuse_launch(const sweep_launch &how)
{
    if (how.blocks.y > LAUNCH_BLOCKS_MAX || how.blocks.z > LAUNCH_BLOCKS_MAX)
        return "the grid has more blocks of this shape than a launch";
    return how.shared_bytes > SHARED_BYTES_MAX ? "the tile with its halo is larger than 48 KiB of shared memory"
                                               : nullptr;
}
