/* SPDX-License-Identifier: MIT */
/* A kind of points with branches as the kernels of the boundary region read it. */
#ifndef AULA_CUDA_BOUNDARY_KIND_CUH
#define AULA_CUDA_BOUNDARY_KIND_CUH

#include <cstdint>

struct boundary_kind {
    uint32_t first, count; /* factors */
    double weight;
    uint32_t heavy;
};

#endif
