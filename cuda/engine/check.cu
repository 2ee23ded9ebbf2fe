/* SPDX-License-Identifier: MIT */
extern "C" {
#include "cuda/engine/check.h"
}

int cuda_check(cudaError_t status, const char *what, struct error *e)
{
    if (status != cudaSuccess)
        (void)cudaGetLastError(); /* clear it, so that the next check does not report it */
    switch (status) {
    case cudaSuccess:
        return 0;
    case cudaErrorMemoryAllocation:
        return fail(e, ERROR_MEMORY, "%s: the GPU is out of memory: lower grid.rate, or use --engine cpu", what);
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
        return fail(e, ERROR_DEVICE,
                    "%s: this GPU or its driver is too old for this build: rebuild with "
                    "-DCMAKE_CUDA_ARCHITECTURES=native, or use --engine cpu",
                    what);
    case cudaErrorDevicesUnavailable:
    case cudaErrorLaunchFailure:
    case cudaErrorIllegalAddress:
    case cudaErrorECCUncorrectable:
        return fail(e, ERROR_DEVICE, "%s: the GPU was lost (%s): run again, or use --engine cpu", what,
                    cudaGetErrorString(status));
    default:
        return fail(e, ERROR_DEVICE, "%s: %s: run again, or use --engine cpu", what, cudaGetErrorString(status));
    }
}
