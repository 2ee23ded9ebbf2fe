/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/boundary_tiles_kernel.cuh"

template const boundary_tile_kernel<float> *boundary_tile_kernels<float, STENCIL_7_POINT>();
template const boundary_tile_kernel<double> *boundary_tile_kernels<double, STENCIL_7_POINT>();
