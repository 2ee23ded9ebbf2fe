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

/* Why no kernel of this build runs on a device, or nullptr. */
const char *device_fault(int device);

/* Whether the current device is of compute capability 9.0 or later and this build has code for that. */
bool device_overlaps();

/* ERROR_ENGINE where --time-block or --in-place ask for temporal blocks: these kernels take single steps. */
int refuse_temporal_blocks(const struct choice *c, struct error *e);

/* Makes the device that the choice names the current one; ERROR_DEVICE where it cannot. */
int take_device(const struct choice *c, struct error *e);

/* Shared memory that a block can have on the current device, bytes; 0 if it does not say. */
size_t shared_memory_max();

/* The status of work(); ERROR_MEMORY where it throws std::bad_alloc, since nothing may be thrown across the C contract. */
template <typename WORK> int without_throwing(struct error *e, WORK work)
{
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return fail(e, ERROR_MEMORY, "out of memory on the host");
    }
}

#endif
