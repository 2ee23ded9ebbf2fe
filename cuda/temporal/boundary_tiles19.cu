/* SPDX-License-Identifier: MIT */
/* Boundary tiles with the 19-point stencil. */
#include "cuda/temporal/boundary_tiles_kernel.cuh"

template const boundary_tile_kernel<float> *boundary_tile_kernels<float, STENCIL_19_POINT>();
template const boundary_tile_kernel<double> *boundary_tile_kernels<double, STENCIL_19_POINT>();
