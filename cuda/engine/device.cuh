/* SPDX-License-Identifier: MIT */
/* The GPUs of the machine, and the properties of the current one. */
#ifndef AULA_CUDA_DEVICE_CUH
#define AULA_CUDA_DEVICE_CUH

#include <cstddef>
#include <new>

extern "C" {
#include "cuda/engine/check.h"
#include "solver/solver.h"
}

int device_count();

/* The reason why no kernel of this build runs on a device, or nullptr. */
const char *device_fault(int device);

/* Whether the current device has compute capability 9.0 or later and this build has code for it. */
bool device_overlaps();

/* ERROR_ENGINE for --time-block or --in-place: kernels of this scheme take single steps only. */
int refuse_temporal_blocks(const struct solver_options *c, struct error *e);

/* Makes the choice's device the current one; ERROR_USAGE where there is none of that number, ERROR_MEMORY where other
 * programs hold its memory, ERROR_DEVICE where it cannot for another reason. */
int take_device(const struct solver_options *c, struct error *e);

/* Lets a kernel take so many bytes of shared memory in a launch on the current device. Solvers of other sizes may be
 * open there: what one of them was allowed stays. */
int allow_shared_memory(const void *kernel, size_t bytes, const char *what, struct error *e);

/* Of the current device; 1 if unknown. */
int multiprocessors();

/* Largest shared memory of a block on the current device, bytes; 0 if unknown. */
size_t shared_memory_max();

/* Returns the status of work(); ERROR_MEMORY for std::bad_alloc, since the contract is in C. */
template <typename WORK> int without_throwing(struct error *e, WORK work)
{
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return fail(e, ERROR_MEMORY, "out of memory on the host");
    }
}

#endif
