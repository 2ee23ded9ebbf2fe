/* Launches with programmatic dependent launch; host side. The kernels' side is in ptx.cuh. */
#ifndef AULA_CUDA_LAUNCH_CUH
#define AULA_CUDA_LAUNCH_CUH

#include <cuda_runtime.h>

/* Whether the code that will run contains the wait: machine code or PTX for older generations does not, even on a
 * newer device. */
template <typename ARGUMENT> bool can_overlap(void (*kernel)(ARGUMENT))
{
    int device = 0, major = 0;
    cudaFuncAttributes code = {};
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
           cudaFuncGetAttributes(&code, kernel) == cudaSuccess && major >= 9 && code.ptxVersion >= 90;
}

/* Launches kernel(argument) so that it may overlap the end of the stream's previous kernel, where the device can.
 * cluster: thread blocks, 1 where the device has no clusters. Errors are left to the check after the step. */
template <typename ARGUMENT>
void launch_overlapping(void (*kernel)(ARGUMENT), dim3 blocks, dim3 threads, cudaStream_t stream,
                        const ARGUMENT &argument, size_t shared_bytes = 0, unsigned cluster = 1)
{
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {cluster, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = !can_overlap(kernel) ? 0 : cluster > 1 ? 2 : 1;
    cudaLaunchKernelEx(&config, kernel, argument);
}

#endif
