/* SPDX-License-Identifier: MIT */
/* Wall tiles with the 19-point stencil. */
#include "cuda/temporal/wall_tiles_kernel.cuh"

template <typename REAL> wall_tile_kernel<REAL> wall_tile19_kernel_for(int steps, unsigned branches)
{
    return steps == 2 ? wall_tile_kernel_of<REAL, 2, STENCIL_19_POINT>(branches)
                      : wall_tile_kernel_of<REAL, 3, STENCIL_19_POINT>(branches);
}

template wall_tile_kernel<float> wall_tile19_kernel_for<float>(int, unsigned);
template wall_tile_kernel<double> wall_tile19_kernel_for<double>(int, unsigned);
