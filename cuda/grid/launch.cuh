/* Launches with programmatic dependent launch, on the host; the kernels' side is in ptx.cuh. */
#ifndef AULA_CUDA_LAUNCH_CUH
#define AULA_CUDA_LAUNCH_CUH

#include <cuda_runtime.h>

/* The code that will run must know how to wait: machine code or PTX of an older generation does not, even on a newer
 * device. */
template <typename ARGUMENT> bool can_overlap(void (*kernel)(ARGUMENT))
{
    int device = 0, major = 0;
    cudaFuncAttributes code = {};
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
           cudaFuncGetAttributes(&code, kernel) == cudaSuccess && major >= 9 && code.ptxVersion >= 90;
}

/* Launches kernel(argument) so that it may overlap with the end of what the stream did before, where the device can.
 * cluster: of blocks, 1 where the device has no clusters. An error stays for the check after the step. */
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
