/* SPDX-License-Identifier: MIT */
/* Temporal blocks in double precision; columns as in tile_single.cu. */
#include "cuda/temporal/tile_table.cuh"

extern const struct tile_kernel tile_kernels_double[] = {
    temporal::row<double, 4, 2, 4, 8, 3, true>::kernel(),
    temporal::row<double, 5, 2, 4, 8, 2>::kernel(),
    temporal::row<double, 4, 2, 5, 8, 2, true>::kernel(),
    temporal::row<double, 3, 2, 6, 8, 2>::kernel(),
    {},
};
