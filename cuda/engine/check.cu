/* SPDX-License-Identifier: MIT */
#include <cstdio>

extern "C" {
#include "base/memory.h"
#include "cuda/engine/check.h"
}

/* ", 1.2 GB free" of the current device; "" where it cannot tell. */
static const char *free_text(void)
{
    static thread_local char text[64];
    size_t available = 0, total = 0;
    text[0] = '\0';
    if (cudaMemGetInfo(&available, &total) == cudaSuccess)
        snprintf(text, sizeof text, ", %s free", memory_text(available));
    (void)cudaGetLastError();
    return text;
}

int cuda_check(cudaError_t status, const char *what, struct error *e)
{
    if (status != cudaSuccess)
        (void)cudaGetLastError(); /* clear it, so that the next check does not report it */
    switch (status) {
    case cudaSuccess:
        return 0;
    case cudaErrorMemoryAllocation:
        return fail(e, ERROR_MEMORY, "%s: the GPU is out of memory%s: lower grid.rate, or use --engine cpu", what,
                    free_text());
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
