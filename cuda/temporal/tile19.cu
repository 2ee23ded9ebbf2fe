/* SPDX-License-Identifier: MIT */
/* Shapes of tiles of the 19-point stencil. Columns: steps, values of a thread along x, rows of a
 * thread, warps, planes loaded ahead. */
#include "cuda/temporal/tile_table.cuh"

extern const struct tile_kernel tile19_kernels_single[] = {
    temporal::row19<float, 3, 2, 4, 16, 2>::kernel(),
    {},
};

extern const struct tile_kernel tile19_kernels_double[] = {
    temporal::row19<double, 3, 2, 4, 8, 2>::kernel(),
    {},
};
