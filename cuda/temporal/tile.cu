/* SPDX-License-Identifier: MIT */
/* Shapes of tiles of the 7-point stencil. Columns: steps, values of a thread along x, rows of a
 * thread, warps, planes loaded ahead, clusters. No shape spills registers in a room without
 * irregular points. */
#include "cuda/temporal/tile_table.cuh"

extern const struct tile_kernel tile_kernels_single[] = {
    temporal::row<float, 4, 4, 4, 8, 3, true>::kernel(), temporal::row<float, 5, 4, 4, 8, 2, true>::kernel(),
    temporal::row<float, 4, 4, 5, 8, 2, true>::kernel(), temporal::row<float, 4, 2, 8, 8, 3>::kernel(),
    temporal::row<float, 4, 2, 10, 8, 2>::kernel(),      temporal::row<float, 4, 2, 4, 16, 3>::kernel(),
    temporal::row<float, 4, 2, 5, 16, 2>::kernel(),      temporal::row<float, 5, 2, 8, 8, 2>::kernel(),
    temporal::row<float, 3, 2, 8, 8, 3>::kernel(),       {},
};

extern const struct tile_kernel tile_kernels_double[] = {
    temporal::row<double, 4, 2, 4, 8, 3, true>::kernel(),
    temporal::row<double, 5, 2, 4, 8, 2>::kernel(),
    temporal::row<double, 4, 2, 5, 8, 2, true>::kernel(),
    temporal::row<double, 3, 2, 6, 8, 2>::kernel(),
    {},
};
