/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/wall_tiles_kernel.cuh"

template <typename REAL> wall_tile_kernel<REAL> wall_tile_kernel_for(int steps, unsigned branches)
{
    switch (steps) {
    case 3:
        return wall_tile_kernel_of<REAL, 3, STENCIL_7_POINT>(branches);
    case 4:
        return wall_tile_kernel_of<REAL, 4, STENCIL_7_POINT>(branches);
    default:
        return wall_tile_kernel_of<REAL, 5, STENCIL_7_POINT>(branches);
    }
}

template wall_tile_kernel<float> wall_tile_kernel_for<float>(int, unsigned);
template wall_tile_kernel<double> wall_tile_kernel_for<double>(int, unsigned);
