/* SPDX-License-Identifier: MIT */
/* The kernel table of the CUDA engine for the schemes of plain arrays, of each scheme the fastest first. */
#include "cuda/stencils/arrays.cuh"

extern const struct cuda_array_kernel sweep_registers, sweep_coarsened, sweep_shared, sweep_basic, sweep_general;
extern const struct cuda_array_kernel derivative_registers, derivative_wide, derivative_pencils;
extern const struct cuda_array_kernel sediment_fused, sediment_marching, sediment_opt_1, sediment_opt_2, sediment_opt_3,
    sediment_baseline;

const struct cuda_array_kernel *const cuda_array_kernels[] = {
    &sweep_registers,      &sweep_coarsened, &sweep_shared,       &sweep_basic,       &sweep_general,
    &derivative_registers, &derivative_wide, &derivative_pencils, &sediment_fused,    &sediment_marching,
    &sediment_opt_1,       &sediment_opt_2,  &sediment_opt_3,     &sediment_baseline, nullptr,
};
