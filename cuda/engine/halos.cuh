/* SPDX-License-Identifier: MIT */
/* Halos of parts that need not pass through the host (struct halo_access of solver.h). */
#ifndef AULA_CUDA_HALOS_CUH
#define AULA_CUDA_HALOS_CUH

#include "cuda/engine/state.cuh"

extern const struct halo_access cuda_leapfrog_halos;

/* Device memory of the halos of a part of a grid, those that it gives included; 0 for a whole grid. */
uint64_t halos_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows, int device);

#endif
