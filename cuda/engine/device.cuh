/* SPDX-License-Identifier: MIT */
/* The GPUs of the machine, and the properties of the current one. */
#ifndef AULA_CUDA_DEVICE_CUH
#define AULA_CUDA_DEVICE_CUH

#include <cstddef>
#include <cuda.h>
#include <new>

extern "C" {
#include "base/phase_timer.h"
#include "cuda/engine/check.h"
#include "solver/solver.h"
}

int device_count();

/* The reason why no kernel of this build can run on a device, or nullptr. */
const char *device_fault(int device);

/* Whether the current device has compute capability 9.0 or later and this build has code for it. */
bool device_overlaps();

/* ERROR_ENGINE for --time-block or --in-place: kernels of this scheme take single steps only. */
int refuse_temporal_blocks(const struct solver_options *c, struct error *e);

/* Makes the chosen device the current one. ERROR_USAGE if it does not exist, ERROR_MEMORY if
 * other programs occupy its memory, ERROR_DEVICE if it fails for another reason. */
int take_device(const struct solver_options *c, struct error *e);

/* Allows a kernel this much shared memory in launches on the current device. Solvers of other
 * sizes may be open there, so that an allowance is never lowered. */
int allow_shared_memory(const void *kernel, size_t bytes, const char *what, struct error *e);

/* Of the current device; 1 if unknown. */
int multiprocessors();

/* Largest shared memory of a block on the current device in bytes; 0 if unknown. */
size_t shared_memory_max();

/* Returns the status of work(), or ERROR_MEMORY for std::bad_alloc, as callers are written in C. */
template <typename WORK> int without_throwing(struct error *e, WORK work)
{
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return fail(e, ERROR_MEMORY, "out of memory");
    }
}

/* Allocates `count` values on the device: copied from host, or zero if host is NULL. */
template <typename T>
static inline int upload(T **device, const T *host, size_t count, const char *what, struct error *e)
{
    const size_t bytes = (count ? count : 1) * sizeof(T);
    if (cuda_check(cudaMalloc(device, bytes), what, e))
        return -1;
    return host && count ? cuda_check(cudaMemcpy(*device, host, count * sizeof(T), cudaMemcpyHostToDevice), what, e)
                         : cuda_check(cudaMemset(*device, 0, bytes), what, e);
}

/* A phase of base/phase_timer.h, from here to the end of the block. */
class in_phase
{
  public:
    explicit in_phase(const char *name)
    {
        phase_begin(name);
    }
    ~in_phase()
    {
        phase_end();
    }
    in_phase(const in_phase &) = delete;
    in_phase &operator=(const in_phase &) = delete;
};

/* --- functions of the driver, through the runtime, so that the program starts without the driver's library --- */

/* Functions as of CUDA 12; nullptr if this driver lacks them. */
template <typename FUNCTION> FUNCTION *driver_function(const char *name)
{
    void *function = nullptr;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess) {
        cudaGetLastError();
        return nullptr;
    }
    return (FUNCTION *)function;
}

#define DRIVER_FUNCTION(name) driver_function<decltype(::name)>(#name)

#endif
