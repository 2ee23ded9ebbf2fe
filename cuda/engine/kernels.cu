/* The kernel table of the CUDA engine, fastest first. */
#include "cuda/grid/view.cuh"

extern const struct cuda_kernel room_kernel, room_narrow_kernel, temporal_blocks, webb_tiling, webb_tiling_shared,
    webb_tiling_extended, webb_slicing, webb_slicing_shared, webb_slicing_extended;

const struct cuda_kernel *const cuda_kernels[] = {
    &room_kernel,  &room_narrow_kernel,  &webb_tiling,           &webb_tiling_shared, &webb_tiling_extended,
    &webb_slicing, &webb_slicing_shared, &webb_slicing_extended, &temporal_blocks,    nullptr,
};

#define DECLARE_VARIANTS(kernel) extern const struct cuda_kernel kernel##_read_only, kernel##_prefer_l1, kernel##_both;
#define VARIANTS(kernel) &kernel##_read_only, &kernel##_prefer_l1, &kernel##_both

DECLARE_VARIANTS(webb_tiling)
DECLARE_VARIANTS(webb_tiling_shared)
DECLARE_VARIANTS(webb_tiling_extended)
DECLARE_VARIANTS(webb_slicing)
DECLARE_VARIANTS(webb_slicing_shared)
DECLARE_VARIANTS(webb_slicing_extended)

const struct cuda_kernel *const cuda_kernel_variants[] = {
    VARIANTS(webb_tiling),
    VARIANTS(webb_tiling_shared),
    VARIANTS(webb_tiling_extended),
    VARIANTS(webb_slicing),
    VARIANTS(webb_slicing_shared),
    VARIANTS(webb_slicing_extended),
    nullptr,
};
