/* Which GPUs there are, and what every part of the CUDA engine does with the one it is given. */
#ifndef AULA_CUDA_DEVICE_CUH
#define AULA_CUDA_DEVICE_CUH

#include <cstddef>
#include <new>

extern "C" {
#include "cuda/engine/check.h"
#include "solver/solver.h"
}

int device_count();

/* Why no kernel of this build runs on a device, or nullptr. */
const char *device_fault(int device);

/* Whether the current device is of compute capability 9.0 or later and this build has code for that. */
bool device_overlaps();

/* Refuses --time-block and --in-place: these kernels do not fuse steps. */
int one_step_a_pass(const struct choice *c, struct error *e);

/* Makes the device that the choice names the current one; ERROR_DEVICE where it cannot. */
int take_device(const struct choice *c, struct error *e);

/* Shared memory that a block of the current device can have, bytes; 0 if it does not say. */
size_t shared_memory_max();

/* Runs what may run out of host memory on the way; nothing is thrown across the contract, which is C. */
template <typename WORK> int without_throwing(struct error *e, WORK work)
{
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return fail(e, ERROR_MEMORY, "out of memory on the host");
    }
}

#endif
