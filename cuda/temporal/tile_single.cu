/* Passes of several steps in single precision: columns are steps, values a thread along x, rows a thread, warps, planes ahead, clusters. Registers
 * decide: no shape here spills them in a room without objects. */
#include "cuda/temporal/tile_table.cuh"

extern const struct tile_kernel tile_kernels_single[] = {
    fused::row<float, 4, 4, 4, 8, 3, true>::kernel(), fused::row<float, 5, 4, 4, 8, 2, true>::kernel(),
    fused::row<float, 4, 4, 5, 8, 2, true>::kernel(), fused::row<float, 4, 2, 8, 8, 3>::kernel(),
    fused::row<float, 4, 2, 10, 8, 2>::kernel(),      fused::row<float, 4, 2, 4, 16, 3>::kernel(),
    fused::row<float, 4, 2, 5, 16, 2>::kernel(),      fused::row<float, 5, 2, 8, 8, 2>::kernel(),
    fused::row<float, 3, 2, 8, 8, 3>::kernel(),       {},
};
