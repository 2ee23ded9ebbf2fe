/* SPDX-License-Identifier: MIT */
/* Device memory of arrays with a value for each point, in which pages without air are not stored.
 *
 * The array has its whole range of addresses, so that kernels find a point as in any other array.
 * Pages with air have memory of their own; all other addresses map to a single page of zeros.
 * Kernels write only zeros there: air spreads by one link per step, and a page within AIR_REACH
 * links of air counts as containing air: docs/design/gpu.md (G3). */
#ifndef AULA_CUDA_DEVICE_PAGES_CUH
#define AULA_CUDA_DEVICE_PAGES_CUH

#include <cuda.h>

#include <vector>

extern "C" {
#include "cuda/grid/layout.h"
}

enum { AIR_REACH = 8 /* more than the depth of any temporal block */ };

/* [nz + spare][ny][pitch]: the planes of the grid begin alternately at plane 0 and at plane
 * `spare`. */
struct point_array {
    const struct problem *problem;
    const struct layout *layout;
    const struct rows *rows;
    size_t value_bytes, spare;
};

struct device_pages {
    void *at;
    size_t reserved; /* bytes of address space; 0: memory of cudaMalloc */
    std::vector<CUmemGenericAllocationHandle> handles;
    std::vector<size_t> mapped; /* bytes of each mapping, in order */
};

/* Bytes of memory that the array will occupy. */
uint64_t device_pages_bytes(const struct point_array &a);

/* All values are zero. ERROR_MEMORY, or another error of the device. */
int device_pages_make(struct device_pages *m, const struct point_array &a, const char *what, struct error *e);
void device_pages_free(struct device_pages *m); /* safe on a zeroed struct; leaves a zeroed struct */

#endif
