/* The kernel table of the CUDA engine, fastest first. */
#include "cuda/grid/view.cuh"

extern const struct cuda_kernel room_kernel, room_narrow_kernel, temporal_blocks, webb_tiling, webb_tiling_shared,
    webb_tiling_extended, webb_slicing, webb_slicing_shared, webb_slicing_extended;

const struct cuda_kernel *const cuda_kernels[] = {
    &room_kernel,  &room_narrow_kernel,  &webb_tiling,           &webb_tiling_shared, &webb_tiling_extended,
    &webb_slicing, &webb_slicing_shared, &webb_slicing_extended, &temporal_blocks,    nullptr,
};
