/* SPDX-License-Identifier: MIT */
/* Launches with programmatic dependent launch; host side. The kernels' side is in ptx.cuh. */
#ifndef AULA_CUDA_LAUNCH_CUH
#define AULA_CUDA_LAUNCH_CUH

#include <cuda_runtime.h>

/* Whether the code that will run contains the wait: machine code or PTX for older generations does not, even on a
 * newer device. */
template <typename... ARGUMENTS> bool can_overlap(void (*kernel)(ARGUMENTS...))
{
    int device = 0, major = 0;
    cudaFuncAttributes code = {};
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
           cudaFuncGetAttributes(&code, kernel) == cudaSuccess && major >= 9 && code.ptxVersion >= 90;
}

struct launch_shape {
    dim3 blocks, threads;
    cudaStream_t stream;
    size_t shared_bytes = 0; /* of a block */
    unsigned cluster = 0;    /* blocks of a cluster; 0: launched without clusters */
};

/* Launches kernel(arguments ..) so that it may overlap the end of the stream's previous kernel, where the device can.
 * Errors are left to the check after the step. */
template <typename... ARGUMENTS>
void launch_overlapping(void (*kernel)(ARGUMENTS...), const launch_shape &shape, const ARGUMENTS &...arguments)
{
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {shape.cluster, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = shape.blocks;
    config.blockDim = shape.threads;
    config.dynamicSmemBytes = shape.shared_bytes;
    config.stream = shape.stream;
    config.attrs = attributes;
    config.numAttrs = !can_overlap(kernel) ? 0 : shape.cluster ? 2 : 1;
    cudaLaunchKernelEx(&config, kernel, arguments...);
}

#endif
