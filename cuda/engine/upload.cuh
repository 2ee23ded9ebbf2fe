/* SPDX-License-Identifier: MIT */
/* Arrays on the device. */
#ifndef AULA_CUDA_UPLOAD_CUH
#define AULA_CUDA_UPLOAD_CUH

extern "C" {
#include "cuda/engine/check.h"
}

/* Allocates `count` values on the device: copied from host, or zero when host is NULL. */
template <typename T>
static inline int upload(T **device, const T *host, size_t count, const char *what, struct error *e)
{
    const size_t bytes = (count ? count : 1) * sizeof(T);
    if (cuda_check(cudaMalloc(device, bytes), what, e))
        return -1;
    return host && count ? cuda_check(cudaMemcpy(*device, host, count * sizeof(T), cudaMemcpyHostToDevice), what, e)
                         : cuda_check(cudaMemset(*device, 0, bytes), what, e);
}

#endif
