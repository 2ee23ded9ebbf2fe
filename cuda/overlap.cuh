/* Programmatic dependent launch: the blocks of the next step may be placed on the multiprocessors while the last blocks of this one
 * still run, and wait there instead of in the launch queue. A seam: only compute capability 9.0 and later have it. */
#ifndef AULA_CUDA_OVERLAP_CUH
#define AULA_CUDA_OVERLAP_CUH

#include <cuda_runtime.h>

/* Waits until everything before this kernel is done and visible, and then lets the next kernel's blocks come as soon as this one's
 * have all passed here. So what the last kernel but one wrote is in memory when a kernel starts, and may be read before this call,
 * past the first-level cache (__ldcg); what the last kernel writes may not. */
__device__ __forceinline__ void wait_for_last_step()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* The same without letting the next kernel's blocks come early: they would take the places of what must not wait for them. */
__device__ __forceinline__ void wait_alone()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/* Lets the next kernel's blocks come as soon as all of this one's have passed here. A kernel that calls this without having waited must wait
 * before it ends: only then is the next but one after it told the truth when it waits for the next. */
__device__ __forceinline__ void let_next_begin()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* For kernels that begin while a pass runs, and that more than one other follows: all of them wait for one word. The kernel that follows the pass at once
 * sets it, the pass has cleared it before. */
__device__ __forceinline__ void pass_begins(unsigned *ended)
{
    *(volatile unsigned *)ended = 0;
    __threadfence();
}

__device__ __forceinline__ void pass_has_ended(unsigned *ended)
{
    __threadfence();
    *(volatile unsigned *)ended = 1;
}

__device__ __forceinline__ void wait_for_pass(const unsigned *ended)
{
    while (!*(const volatile unsigned *)ended)
        __nanosleep(100);
    __threadfence();
}

/* What a multiprocessor's first-level cache holds may be older than what the kernels before have written, where a kernel reads without having waited. */
__device__ __forceinline__ void forget_what_is_cached()
{
    __threadfence();
}

/* The code that will run must know how to wait: machine code or PTX of an older generation does not, even on a newer device. */
template <typename ARGUMENT> bool can_overlap(void (*kernel)(ARGUMENT))
{
    int device = 0, major = 0;
    cudaFuncAttributes code = {};
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
           cudaFuncGetAttributes(&code, kernel) == cudaSuccess && major >= 9 && code.ptxVersion >= 90;
}

/* Launches kernel(argument) so that it may overlap with the end of what the stream did before, where the device can; cluster: of blocks, 1
 * where it cannot. */
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
    cudaLaunchKernelEx(&config, kernel, argument); /* an error stays for the check after the step */
}

#endif
