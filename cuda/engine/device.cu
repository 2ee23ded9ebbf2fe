/* SPDX-License-Identifier: MIT */
#include "cuda/engine/device.cuh"

#include <cstdio>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <mutex>

extern "C" {
#include "base/memory.h"
#include "cuda/engine/check.h"
}
#include "cuda/ptx.cuh"

/* --- checks of calls --- */

/* ", 1.2 GB free" for the current device; "" if unknown. */
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
        return fail(e, ERROR_MEMORY, "%s: the GPU is out of memory%s; lower grid.rate, or use --engine cpu", what,
                    free_text());
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
        return fail(e, ERROR_DEVICE,
                    "%s: this GPU or its driver is too old for this build; rebuild with "
                    "-DCMAKE_CUDA_ARCHITECTURES=native, or use --engine cpu",
                    what);
    case cudaErrorDevicesUnavailable:
    case cudaErrorLaunchFailure:
    case cudaErrorIllegalAddress:
    case cudaErrorECCUncorrectable:
        return fail(e, ERROR_DEVICE, "%s: the GPU was lost (%s); run again, or use --engine cpu", what,
                    cudaGetErrorString(status));
    default:
        return fail(e, ERROR_DEVICE, "%s: %s; run again, or use --engine cpu", what, cudaGetErrorString(status));
    }
}

/* --- memory that is free --- */

namespace
{

/* As in nvml.h, which some toolkits lack; 0 is success. */
struct nvml_memory {
    unsigned long long total, free, used; /* bytes */
};
typedef int nvml_init(void);
typedef int nvml_handle_of(const char *bus, void **handle);
typedef int nvml_memory_of(void *handle, nvml_memory *memory);

template <typename FUNCTION> bool find(FUNCTION **function, void *library, const char *name)
{
    *function = (FUNCTION *)dlsym(library, name);
    return *function != nullptr;
}

/* Identifies the device by its position on the bus, as the library counts devices that
 * CUDA_VISIBLE_DEVICES hides. */
bool read_memory(nvml_memory *memory, void *library, int device)
{
    nvml_init *init;
    nvml_handle_of *handle_of;
    nvml_memory_of *memory_of;
    void *handle;
    char bus[64];
    return find(&init, library, "nvmlInit_v2") && find(&handle_of, library, "nvmlDeviceGetHandleByPciBusId_v2") &&
           find(&memory_of, library, "nvmlDeviceGetMemoryInfo") &&
           cudaDeviceGetPCIBusId(bus, sizeof bus, device) == cudaSuccess && init() == 0 &&
           handle_of(bus, &handle) == 0 && memory_of(handle, memory) == 0;
}

/* ", 310 MB free" for a GPU on which not even a context fits. The runtime needs a context to
 * report this, so that the driver's management library is used. "" if unknown. Valid until the
 * thread's next call. */
const char *free_memory_text(int device)
{
    static thread_local char text[96];
    nvml_memory memory;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    text[0] = '\0';
    if (library && read_memory(&memory, library, device))
        snprintf(text, sizeof text, ", %s free", memory_text(memory.free));
    return text; /* the library stays loaded: the driver owns it */
}

} // namespace

/* --- devices --- */

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

/* Makes the device the current one; cudaSuccess if a kernel of this build can run on it. */
cudaError_t try_device(int device)
{
    const in_phase starting("starting the GPU");
    cudaFuncAttributes attributes;
    cudaError_t status = cudaSetDevice(device);
    if (status == cudaSuccess)
        status = cudaFuncGetAttributes(&attributes, probe);
    if (status != cudaSuccess)
        cudaGetLastError();
    return status;
}

/* Why try_device failed. */
const char *fault_text(int device, cudaError_t status)
{
    static thread_local char reason[256];
    int major = 0, minor = 0;
    if (status == cudaErrorMemoryAllocation) { /* no memory even for the context, as other programs use it */
        snprintf(reason, sizeof reason, "GPU %d is out of memory%s", device, free_memory_text(device));
        return reason;
    }
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    snprintf(reason, sizeof reason, "GPU %d (compute capability %d.%d) cannot run this build: %s", device, major, minor,
             cudaGetErrorString(status));
    return reason;
}

} // namespace

const char *device_fault(int device)
{
    const cudaError_t status = try_device(device);
    return status == cudaSuccess ? nullptr : fault_text(device, status);
}

bool device_overlaps()
{
    return can_overlap(probe);
}

int take_device(const struct solver_options *c, struct error *e)
{
    const int device = c ? c->device : 0, count = device_count();
    if (device >= count)
        return fail(e, ERROR_USAGE, "--device %d: there %s %d GPU%s, numbered from 0", device,
                    count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
    const cudaError_t status = try_device(device);
    if (status == cudaErrorMemoryAllocation)
        return fail(e, ERROR_MEMORY,
                    "--device %d: %s; end other programs on this GPU, choose another GPU, or use --engine cpu", device,
                    fault_text(device, status));
    return status == cudaSuccess ? 0
                                 : fail(e, ERROR_DEVICE,
                                        "--device %d: %s; choose another GPU, rebuild with "
                                        "-DCMAKE_CUDA_ARCHITECTURES=native, or use --engine cpu",
                                        device, fault_text(device, status));
}

int refuse_temporal_blocks(const struct solver_options *c, struct error *e)
{
    if (c && c->cuda.in_place)
        return fail(e, ERROR_ENGINE,
                    "--in-place: the cuda engine does not support temporal blocking for this scheme; remove it");
    return c && c->time_block > 1
               ? fail(e, ERROR_ENGINE,
                      "--time-block %d: the cuda engine does not support temporal blocking for this scheme; remove it",
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
