/* The kernel table of the CUDA engine for the schemes of plain arrays, of each scheme the fastest first. */
#include "arrays.cuh"

const struct cuda_array_kernel *const cuda_array_kernels[] = {
    nullptr,
};
