/* SPDX-License-Identifier: MIT */
/* The CUDA engine's row of the engine table. */
#include <cstdio>

extern "C" {
#include "base/memory.h"
#include "solver/schemes/isotropic19/scheme.h"
#include "solver/schemes/leapfrog/leapfrog.h"
}
#include "cuda/engine/bandwidth.cuh"
#include "cuda/engine/device.cuh"
#include "cuda/engine/links.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/stencils/arrays.cuh"
#include "solver/engine.h"

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
        strategy_listed(index, scheme == &isotropic19_scheme ? STENCIL_19_POINT : STENCIL_7_POINT);
    return row ? row->name : nullptr;
}

/* Schemes and how they are stepped. */
const struct {
    const struct scheme *scheme; /* NULL: all others */
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
