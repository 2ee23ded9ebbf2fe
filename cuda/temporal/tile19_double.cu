/* SPDX-License-Identifier: MIT */
/* Temporal blocks of the 19-point stencil in double precision; columns as in tile19_single.cu. */
#include "cuda/temporal/tile_table.cuh"

extern const struct tile_kernel tile19_kernels_double[] = {
    temporal::row19<double, 3, 2, 4, 8, 2>::kernel(),
    {},
};
