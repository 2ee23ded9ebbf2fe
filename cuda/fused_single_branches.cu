/* Passes of several steps in single precision in rooms with frequency-dependent walls; columns as in fused_single.cu. */
#include "fused_table.cuh"

extern const struct fused_kernel fused_single_branches[] = {
    fused::row<float, 4, 2, 6, 10, 2, false, true>::kernel(),
    fused::row<float, 4, 2, 7, 8, 2, false, true>::kernel(),
    fused::row<float, 3, 2, 8, 8, 2, false, true>::kernel(),
    {},
};
