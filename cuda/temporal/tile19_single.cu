/* Temporal blocks of the 19-point stencil in single precision. Columns: steps, values of a thread along x, rows of a
 * thread, warps, planes loaded ahead, planes by which a level trails the one below. */
#include "cuda/temporal/tile_table.cuh"

extern const struct tile_kernel tile19_kernels_single[] = {
    temporal::row19<float, 3, 2, 4, 16, 2, 1>::kernel(),
    temporal::row19<float, 3, 4, 4, 8, 1, 2>::kernel(),
    {},
};
