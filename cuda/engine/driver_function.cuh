/* SPDX-License-Identifier: MIT */
/* Functions of the driver, through the runtime, so that the program starts without the driver's library. */
#ifndef AULA_CUDA_DRIVER_FUNCTION_CUH
#define AULA_CUDA_DRIVER_FUNCTION_CUH

#include <cuda.h>

/* As of CUDA 12; nullptr: this driver has none. */
template <typename FUNCTION> FUNCTION *driver_function(const char *name)
{
    void *function = nullptr;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess) {
        cudaGetLastError();
        return nullptr;
    }
    return (FUNCTION *)function;
}

#define DRIVER_FUNCTION(name) driver_function<decltype(::name)>(#name)

#endif
