/* SPDX-License-Identifier: MIT */
/* The CUDA engine's row of the engine table. */
#include <algorithm>
#include <cstdio>

extern "C" {
#include "base/memory.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"
}
#include "cuda/engine/device.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/stencils/arrays.cuh"
#include "solver/engine.h"

/* --- how fast GPUs copy --- */

namespace
{

enum { TIMES = 5, COPIES = 10 };
const size_t copied_bytes = (size_t)1 << 30;
const char what[] = "copy";

/* Allocates a gigabyte on a GPU, filled with ones. */
int take_memory(char **memory, int device, struct error *e)
{
    return cuda_check(cudaSetDevice(device), what, e) || cuda_check(cudaMalloc(memory, copied_bytes), what, e) ||
                   cuda_check(cudaMemset(*memory, 1, copied_bytes), what, e) ||
                   cuda_check(cudaDeviceSynchronize(), what, e)
               ? -1
               : 0;
}

/* Time of a copy from the memory of one GPU to that of the current one, in seconds. */
int time_copies(double *seconds, char *to, int to_device, const char *from, int from_device, struct error *e)
{
    cudaEvent_t start = nullptr, end = nullptr;
    float times[TIMES] = {};
    int status = cuda_check(cudaEventCreate(&start), what, e) || cuda_check(cudaEventCreate(&end), what, e);
    for (int i = -1; i < TIMES && !status; i++) { /* i = -1 warms up */
        float elapsed = 0.0f;
        status = cuda_check(cudaEventRecord(start), what, e);
        for (int k = 0; k < COPIES && !status; k++)
            status = cuda_check(to_device == from_device
                                    ? cudaMemcpyAsync(to, from, copied_bytes, cudaMemcpyDeviceToDevice)
                                    : cudaMemcpyPeerAsync(to, to_device, from, from_device, copied_bytes, 0),
                                what, e);
        status = status || cuda_check(cudaEventRecord(end), what, e) ||
                 cuda_check(cudaEventSynchronize(end), what, e) ||
                 cuda_check(cudaEventElapsedTime(&elapsed, start, end), what, e);
        if (i >= 0)
            times[i] = elapsed;
    }
    std::sort(times, times + TIMES);
    *seconds = 1e-3 * (double)times[TIMES / 2] / COPIES;
    if (start)
        cudaEventDestroy(start);
    if (end)
        cudaEventDestroy(end);
    return status ? -1 : 0;
}

void free_memory(char *memory, int device)
{
    if (memory && cudaSetDevice(device) == cudaSuccess)
        cudaFree(memory);
}

/* Bytes read plus written per second by a copy of a gigabyte within the chosen GPU: median of
 * five times ten. */
int copy_bandwidth(double *bytes_per_second, const struct solver_options *c, struct error *e)
{
    char *from = nullptr, *to = nullptr;
    double seconds = 0.0;
    int device = 0;
    const int status = take_device(c, e) || cuda_check(cudaGetDevice(&device), what, e) ||
                       take_memory(&from, device, e) || take_memory(&to, device, e) ||
                       time_copies(&seconds, to, device, from, device, e);
    *bytes_per_second = status ? 0.0 : 2.0 * (double)copied_bytes / seconds;
    free_memory(from, device);
    free_memory(to, device);
    return status ? -1 : 0;
}

/* Bytes per second from one GPU to another, measured likewise: directly if they can access each
 * other, else through the host, as for halos. */
int peer_bandwidth(double *bytes_per_second, int from_device, int to_device, struct error *e)
{
    struct solver_options from_choice = {}, to_choice = {};
    char *from = nullptr, *to = nullptr;
    double seconds = 0.0;
    int can = 0;
    from_choice.device = from_device;
    to_choice.device = to_device;
    int status = take_device(&from_choice, e) || take_memory(&from, from_device, e) || take_device(&to_choice, e) ||
                 take_memory(&to, to_device, e);
    if (!status && from_device != to_device && cudaDeviceCanAccessPeer(&can, to_device, from_device) == cudaSuccess &&
        can)
        cudaDeviceEnablePeerAccess(from_device,
                                   0); /* fails if it is enabled already, or if copies pass through the host */
    cudaGetLastError();                /* discards that error */
    status = status || time_copies(&seconds, to, to_device, from, from_device, e);
    *bytes_per_second = status ? 0.0 : (double)copied_bytes / seconds;
    free_memory(from, from_device);
    free_memory(to, to_device);
    return status ? -1 : 0;
}

/* --- the row --- */

/* NULL if any GPU of the machine can run this build; the chosen GPU is checked when it is
 * opened. */
const char *unavailable(void)
{
    static thread_local char reason[128];
    int driver = 0, count = device_count();
    const char *fault = nullptr;
    if (count == 0) {
        if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0 || driver >= CUDART_VERSION)
            return "no NVIDIA GPU with a driver was found";
        snprintf(reason, sizeof reason,
                 "the NVIDIA driver supports CUDA %d.%d, but this build needs %d.%d; update the driver", driver / 1000,
                 driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
        return reason;
    }
    for (int device = 0; device < count; device++)
        if (!(fault = device_fault(device)))
            return nullptr;
    return fault;
}

void describe(char *text, size_t size)
{
    cudaDeviceProp properties;
    const char *reason = unavailable();
    int device = 0;
    while (!reason && device_fault(device)) /* unavailable() has found at least one */
        device++;
    if (reason || cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
        snprintf(text, size, "%s", reason ? reason : "no GPU responds");
        return;
    }
    snprintf(text, size, "GPU %d of %d: %s, compute capability %d.%d, %d multiprocessors, %s", device, device_count(),
             properties.name, properties.major, properties.minor, properties.multiProcessorCount,
             memory_text(properties.totalGlobalMem));
}

const char *leapfrog_kernel_name(const struct scheme *scheme, size_t index)
{
    const struct strategy *row =
        strategy_listed(index, scheme == &isotropic19_scheme ? STENCIL_19_POINT : STENCIL_7_POINT);
    return row ? row->name : nullptr;
}

/* Schemes and their steppers. */
const struct {
    const struct scheme *scheme; /* NULL: all other schemes */
    const struct stepper *stepper;
    const char *(*kernel_name)(const struct scheme *scheme, size_t index);
} steppers[] = {
    {&cartesian7_scheme, &cuda_leapfrog, leapfrog_kernel_name},
    {&isotropic19_scheme, &cuda_leapfrog, leapfrog_kernel_name},
    {nullptr, &cuda_arrays, cuda_array_kernel_name},
};

size_t row_of(const struct scheme *scheme)
{
    size_t row = 0;
    while (steppers[row].scheme && steppers[row].scheme != scheme)
        row++;
    return row;
}

const struct stepper *stepper_of(const struct scheme *scheme)
{
    return steppers[row_of(scheme)].stepper;
}

const char *kernel_name(const struct scheme *scheme, size_t index)
{
    return steppers[row_of(scheme)].kernel_name(scheme, index);
}

} // namespace

extern "C" const struct engine cuda_engine = {"cuda",  unavailable,    describe,       stepper_of,  kernel_name,
                                              nullptr, copy_bandwidth, peer_bandwidth, &cuda_links, false};
