/* SPDX-License-Identifier: MIT */
/* Device memory of arrays with a value for each point, in which pages without air are not stored.
 *
 * The array has its whole range of addresses, so that kernels find a point as in any other array. Pages with air have
 * memory of their own; all others are one page of zeros, which has as many addresses. What kernels write there is zero:
 * air spreads by a link a step, and a page within AIR_REACH links of air counts as having some:
 * docs/design/gpu.md (G3). */
#ifndef AULA_CUDA_DEVICE_PAGES_CUH
#define AULA_CUDA_DEVICE_PAGES_CUH

#include <cuda.h>

#include <vector>

extern "C" {
#include "cuda/grid/layout.h"
}

enum { AIR_REACH = 8 /* more than the steps of any temporal block */ };

/* [nz + spare][ny][pitch]: the planes of the grid begin at plane 0 or at plane `spare`, in turn. */
struct point_array {
    const struct problem *problem;
    const struct layout *layout;
    const struct rows *rows;
    size_t value_bytes, spare;
};

struct device_pages {
    void *at;
    size_t reserved; /* bytes of addresses; 0: memory of cudaMalloc */
    std::vector<CUmemGenericAllocationHandle> handles;
    std::vector<size_t> mapped; /* bytes of each mapping, one after the other */
};

/* Bytes of memory that the array will take. */
uint64_t device_pages_bytes(const struct point_array &a);

/* All values are zero. ERROR_MEMORY where there is no more, or another error of the device. */
int device_pages_make(struct device_pages *m, const struct point_array &a, const char *what, struct error *e);
void device_pages_free(struct device_pages *m); /* safe on a zeroed struct, and leaves one */

#endif
