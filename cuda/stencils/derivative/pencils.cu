/* SPDX-License-Identifier: MIT */
/* Derivative, "pencils" and "wide": a tile of `length` points along the axis times a number of pencils side by side, in
 * shared memory, with the halo at both ends: neighbouring tiles, or the periodic images.
 *
 * Pencils of the x derivative lie side by side in y, those of y and z in x, and so do the threads. "pencils" and
 * "wide" differ in how many there are and in how many points of one a thread computes. */
#include "cuda/stencils/derivative/derivative.cuh"

#include <algorithm>

namespace
{

/* Phases, for each tile of a block: fill the tile with its halo, then differentiate its points. */
template <typename REAL, int AXIS>
__global__ void __launch_bounds__(BLOCK_THREADS_MAX) tile_of_pencils(const __grid_constant__ derivative<REAL> d)
{
    constexpr int ACROSS = AXIS == 0 ? 1 : 0, THIRD = AXIS == 2 ? 1 : 2;
    extern __shared__ __align__(16) unsigned char raw[];
    REAL *tile = reinterpret_cast<REAL *>(raw);
    const int pencils = (int)(AXIS == 0 ? blockDim.y : blockDim.x),
              threads = (int)(AXIS == 0 ? blockDim.x : blockDim.y);
    const int pencil = (int)(AXIS == 0 ? threadIdx.y : threadIdx.x),
              thread = (int)(AXIS == 0 ? threadIdx.x : threadIdx.y);
    const int step = AXIS == 0 ? 1 : pencils; /* from a point of a pencil to the next, in the tile */
    REAL *mine = tile + (AXIS == 0 ? pencil * (d.length + 2 * HALO) : pencil);
    const int64_t rows = AXIS == 0 ? (d.n[ACROSS] + pencils - 1) / pencils : (d.n[AXIS] + d.length - 1) / d.length;
    /* A grid can have more rows and planes of tiles than a launch has blocks; the bounds are the same for all
     * threads of a block. */
    for (int64_t third = blockIdx.z; third < d.n[THIRD]; third += gridDim.z)
        for (int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
            const int64_t first = (AXIS == 0 ? (int64_t)blockIdx.x : row) * d.length;
            const int64_t across = (AXIS == 0 ? row : (int64_t)blockIdx.x) * pencils + pencil;
            const int64_t line = third * d.stride[THIRD] + across * d.stride[ACROSS];
            const int count = across < d.n[ACROSS] ? (int)min((int64_t)d.length, d.n[AXIS] - first) : -2 * HALO;
#pragma unroll 4
            for (int i = thread; i < count + 2 * HALO; i += threads)
                mine[i * step] = d.f[line + wrapped(first + i - HALO, d.n[AXIS]) * d.stride[AXIS]];
            __syncthreads();
#pragma unroll 2
            for (int i = thread; i < count; i += threads) {
                const REAL *p = mine + (i + HALO) * step;
                d.df[line + (first + i) * d.stride[AXIS]] =
                    weighted(d.coefficient, p[step] - p[-step], p[2 * step] - p[-2 * step], p[3 * step] - p[-3 * step],
                             p[4 * step] - p[-4 * step]);
            }
            __syncthreads(); /* all have read the tile before it is filled again */
        }
}

/* A block of pencils. */
struct pencil_shape {
    int pencils, length, threads; /* threads along the axis */
};

/* "pencils": a block is (points of the tile, pencils, 1). */
pencil_shape narrow_shape(struct block_shape block)
{
    return {block.y, block.x, block.x};
}

/* "wide": a block is (pencils, points of the tile, threads along the axis). */
pencil_shape wide_shape(struct block_shape block)
{
    return {block.x, block.y, block.z};
}

size_t tile_bytes(const struct problem *p, pencil_shape s)
{
    return value_bytes(p) * (size_t)s.pencils * ((size_t)s.length + 2 * HALO);
}

template <typename REAL> void (*pencils_of(int axis))(derivative<REAL>)
{
    return axis == 0 ? tile_of_pencils<REAL, 0> : axis == 1 ? tile_of_pencils<REAL, 1> : tile_of_pencils<REAL, 2>;
}

template <typename REAL> void launch_pencils(const struct cuda_array_grid *g, pencil_shape s)
{
    const int axis = derivative_of(g->problem)->axis, across = axis == 0 ? 1 : 0, third = axis == 2 ? 1 : 2;
    const int64_t along = parts(g->n[axis], s.length), aside = parts(g->n[across], s.pencils),
                  blocks_max = LAUNCH_BLOCKS_MAX;
    const dim3 threads((unsigned)(axis == 0 ? s.threads : s.pencils), (unsigned)(axis == 0 ? s.pencils : s.threads));
    const dim3 blocks((unsigned)(axis == 0 ? along : aside), (unsigned)std::min(axis == 0 ? aside : along, blocks_max),
                      (unsigned)std::min(g->n[third], blocks_max));
    pencils_of<REAL>(axis)<<<blocks, threads, tile_bytes(g->problem, s), g->stream>>>(
        derivative_arguments<REAL>(g, s.length));
}

template <pencil_shape (*SHAPE)(struct block_shape)> void step_pencils(const struct cuda_array_grid *g)
{
    if (g->problem->precision == PRECISION_DOUBLE)
        launch_pencils<double>(g, SHAPE(g->block));
    else
        launch_pencils<float>(g, SHAPE(g->block));
}

template <pencil_shape (*SHAPE)(struct block_shape)>
void figures_pencils(struct kernel_figures *f, const struct problem *p, struct block_shape block)
{
    const pencil_shape s = SHAPE(block);
    const int axis = derivative_of(p)->axis;
    if (p->precision == PRECISION_DOUBLE)
        figures_of(f, pencils_of<double>(axis), s.pencils * s.threads, tile_bytes(p, s));
    else
        figures_of(f, pencils_of<float>(axis), s.pencils * s.threads, tile_bytes(p, s));
}

const char *pencils_fit(const struct problem *p, pencil_shape s)
{
    if ((int64_t)s.pencils * s.threads > BLOCK_THREADS_MAX)
        return "a block has at most 1024 threads";
    return tile_bytes(p, s) > SHARED_BYTES_MAX ? "the tile with its halo is larger than 48 KiB of shared memory"
                                               : nullptr;
}

const char *any_axis(const struct problem *p, struct block_shape block)
{
    if (const char *reason = refuse_block(block))
        return reason;
    return block.z != 1 ? "a block of pencils is points along the axis by pencils by 1"
                        : pencils_fit(p, narrow_shape(block));
}

const char *not_along_x(const struct problem *p, struct block_shape block)
{
    if (derivative_of(p)->axis == 0)
        return "along x the pencils are read coalesced however few they are: wide ones are for y and z";
    const char *reason = refuse_block(block);
    return reason ? reason : pencils_fit(p, wide_shape(block));
}

} // namespace

extern const struct cuda_array_kernel derivative_wide = {
    "wide",
    &derivative_scheme,
    {32, 64, 8},
    {{32, 64, 8}, {32, 64, 16}, {32, 128, 8}, {64, 64, 4}, {64, 64, 8}, {32, 32, 8}, {32, 256, 16}, {64, 32, 4}},
    not_along_x,
    step_pencils<wide_shape>,
    figures_pencils<wide_shape>};

extern const struct cuda_array_kernel derivative_pencils = {"pencils",
                                                            &derivative_scheme,
                                                            {64, 4, 1}, /* published */
                                                            {{64, 4, 1}, {64, 1, 1}, {64, 2, 1}, {64, 8, 1}},
                                                            any_axis,
                                                            step_pencils<narrow_shape>,
                                                            figures_pencils<narrow_shape>};
