/* SPDX-License-Identifier: MIT */
#include "cuda/engine/device.cuh"

#include <cstdio>
#include <mutex>

#include "cuda/engine/in_phase.cuh"
#include "cuda/grid/launch.cuh"

int device_count()
{
    const in_phase starting("starting the GPU");
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError(); /* clear it, so that the next check does not report it */
        return 0;
    }
    return count;
}

namespace
{

/* Compiled for the same devices as all other kernels. */
__global__ void probe(int)
{
}

} // namespace

const char *device_fault(int device)
{
    const in_phase starting("starting the GPU");
    static thread_local char reason[256];
    int major = 0, minor = 0;
    cudaFuncAttributes attributes;
    cudaError_t status = cudaSetDevice(device);
    if (status == cudaSuccess) {
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
        status = cudaFuncGetAttributes(&attributes, probe);
    }
    if (status == cudaSuccess)
        return nullptr;
    cudaGetLastError();
    snprintf(reason, sizeof reason, "GPU %d (compute capability %d.%d) cannot run this build: %s", device, major, minor,
             cudaGetErrorString(status));
    return reason;
}

bool device_overlaps()
{
    return can_overlap(probe);
}

int take_device(const struct choice *c, struct error *e)
{
    const int device = c ? c->device : 0, count = device_count();
    if (device >= count)
        return fail(e, ERROR_DEVICE, "--device %d: there %s %d GPU%s, counted from 0", device,
                    count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
    const char *fault = device_fault(device);
    return fault ? fail(e, ERROR_DEVICE,
                        "--device %d: %s: take another, rebuild with -DCMAKE_CUDA_ARCHITECTURES=native, or use "
                        "--engine cpu",
                        device, fault)
                 : cuda_check(cudaSetDevice(device), "device", e);
}

int refuse_temporal_blocks(const struct choice *c, struct error *e)
{
    if (c && c->in_place)
        return fail(e, ERROR_ENGINE, "--in-place: the cuda engine takes one step of this scheme in a pass");
    return c && c->time_block > 1
               ? fail(e, ERROR_ENGINE, "--time-block %d: the cuda engine takes one step of this scheme in a pass",
                      c->time_block)
               : 0;
}

int allow_shared_memory(const void *kernel, size_t bytes, const char *what, struct error *e)
{
    static std::mutex lock;
    const std::lock_guard<std::mutex> alone(lock);
    cudaFuncAttributes allowed = {};
    if (cuda_check(cudaFuncGetAttributes(&allowed, kernel), what, e))
        return -1;
    return (int)bytes <= allowed.maxDynamicSharedSizeBytes
               ? 0
               : cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes), what,
                            e);
}

int multiprocessors()
{
    int device = 0, count = 1;
    if (cudaGetDevice(&device) == cudaSuccess)
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    return count;
}

size_t shared_memory_max()
{
    int device = 0, bytes = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess)
        return 0;
    return (size_t)bytes;
}
