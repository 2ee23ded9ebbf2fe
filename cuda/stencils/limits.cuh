/* SPDX-License-Identifier: MIT */
/* Limits of a launch, and blocks of a grid of points. */
#ifndef AULA_CUDA_STENCILS_LIMITS_CUH
#define AULA_CUDA_STENCILS_LIMITS_CUH

#include "cuda/stencils/arrays.cuh"

enum {
    BLOCK_THREADS_MAX = 1024,
    STREAMING_THREADS_MAX = 256, /* of a block of the registers kernels */
    LAUNCH_BLOCKS_MAX = 65535,   /* along y and z */
    SHARED_BYTES_MAX = 48 * 1024,
    VECTOR_BYTES = 16, /* of the widest load */
};

static inline size_t value_bytes(const struct problem *p)
{
    return precision_bytes(p->precision);
}

static inline int64_t parts(int64_t whole, int64_t part)
{
    return (whole + part - 1) / part;
}

/* NULL when products of a block's sides stay within 32 bits, else the reason why it is refused. */
static inline const char *refuse_block(struct block_shape b)
{
    const bool fits = b.x >= 1 && b.y >= 1 && b.z >= 1 && b.x <= 1024 && b.y <= 1024 && b.z <= 65536;
    return fits ? nullptr : "a block is at least 1 x 1 x 1 and at most 1024 x 1024 x 65536";
}

#endif
