/* Passes of several steps in double precision in rooms with frequency-dependent walls; columns as in fused_single.cu. */
#include "fused_table.cuh"

extern const struct fused_kernel fused_double_branches[] = {
    fused::row<double, 3, 2, 4, 8, 2, false, true>::kernel(),
    fused::row<double, 3, 2, 3, 8, 2, false, true>::kernel(),
    {},
};
