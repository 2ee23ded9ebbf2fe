/* The kernel table of the CUDA engine for the schemes of plain arrays, of each scheme the fastest first. */
#include "arrays.cuh"

extern const struct cuda_array_kernel sweep_registers, sweep_coarsened, sweep_shared, sweep_basic, sweep_general;
extern const struct cuda_array_kernel derivative_registers, derivative_wide, derivative_pencils;

const struct cuda_array_kernel *const cuda_array_kernels[] = {
    &sweep_registers,      &sweep_coarsened, &sweep_shared,       &sweep_basic, &sweep_general,
    &derivative_registers, &derivative_wide, &derivative_pencils,
    nullptr,
};
