/* SPDX-License-Identifier: MIT */
/* The CUDA engine's row of the engine table. */
#include <algorithm>
#include <cstdio>

extern "C" {
#include "base/memory.h"
#include "schemes/leapfrog/leapfrog.h"
#include "schemes/scheme19/scheme.h"
}
#include "cuda/engine/device.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/stencils/arrays.cuh"

namespace
{

/* NULL when any GPU of the machine can run this build; the chosen GPU is checked when it is opened. */
const char *unavailable(void)
{
    static thread_local char reason[128];
    int driver = 0, count = device_count();
    const char *fault = nullptr;
    if (count == 0) {
        if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0 || driver >= CUDART_VERSION)
            return "no NVIDIA GPU and driver were found";
        snprintf(reason, sizeof reason,
                 "the NVIDIA driver knows CUDA %d.%d and this build wants %d.%d: update the driver", driver / 1000,
                 driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
        return reason;
    }
    for (int device = 0; device < count; device++)
        if (!(fault = device_fault(device)))
            return nullptr;
    return fault;
}

/* Median of five device-to-device copies of a gigabyte. */
int copy_bandwidth(double *bytes_per_second, const struct choice *c, struct error *e)
{
    const size_t bytes = (size_t)1 << 30;
    char *from = nullptr, *to = nullptr;
    cudaEvent_t start = nullptr, end = nullptr;
    float times[5] = {};
    int status = take_device(c, e) || cuda_check(cudaMalloc(&from, bytes), "copy", e) ||
                 cuda_check(cudaMalloc(&to, bytes), "copy", e) || cuda_check(cudaMemset(from, 1, bytes), "copy", e) ||
                 cuda_check(cudaEventCreate(&start), "copy", e) || cuda_check(cudaEventCreate(&end), "copy", e);
    for (int i = -1; i < 5 && !status; i++) { /* ten copies each; i = -1 warms up */
        float elapsed = 0.0f;
        status = cuda_check(cudaEventRecord(start), "copy", e);
        for (int k = 0; k < 10 && !status; k++)
            status = cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copy", e);
        status = status || cuda_check(cudaEventRecord(end), "copy", e) ||
                 cuda_check(cudaEventSynchronize(end), "copy", e) ||
                 cuda_check(cudaEventElapsedTime(&elapsed, start, end), "copy", e);
        if (i >= 0)
            times[i] = elapsed;
    }
    std::sort(times, times + 5);
    *bytes_per_second = status ? 0.0 : 10.0 * 2.0 * (double)bytes / (1e-3 * (double)times[2]);
    if (start)
        cudaEventDestroy(start);
    if (end)
        cudaEventDestroy(end);
    cudaFree(from);
    cudaFree(to);
    return status ? -1 : 0;
}

void describe(char *text, size_t size)
{
    cudaDeviceProp properties;
    const char *reason = unavailable();
    int device = 0;
    while (!reason && device_fault(device)) /* unavailable() has found at least one */
        device++;
    if (reason || cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
        snprintf(text, size, "%s", reason ? reason : "no GPU answers");
        return;
    }
    snprintf(text, size, "GPU %d of %d: %s, compute capability %d.%d, %d multiprocessors, %s", device, device_count(),
             properties.name, properties.major, properties.minor, properties.multiProcessorCount,
             memory_text(properties.totalGlobalMem));
}

const char *leapfrog_kernel_name(const struct scheme *scheme, size_t index)
{
    const struct strategy *row =
        strategy_listed(index, scheme == &scheme19_scheme ? STENCIL_19_POINT : STENCIL_7_POINT);
    return row ? row->name : nullptr;
}

/* Schemes and how they are stepped. */
const struct {
    const struct scheme *scheme; /* NULL: all others */
    const struct stepper *stepper;
    const char *(*kernel_name)(const struct scheme *scheme, size_t index);
} steppers[] = {
    {&leapfrog_scheme, &cuda_leapfrog, leapfrog_kernel_name},
    {&scheme19_scheme, &cuda_leapfrog, leapfrog_kernel_name},
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

extern "C" const struct engine cuda_engine = {"cuda",      unavailable, describe,       stepper_of,
                                              kernel_name, nullptr,     copy_bandwidth, false};
