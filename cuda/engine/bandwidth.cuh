/* SPDX-License-Identifier: MIT */
/* How fast GPUs copy. */
#ifndef AULA_CUDA_BANDWIDTH_CUH
#define AULA_CUDA_BANDWIDTH_CUH

#include "cuda/engine/device.cuh"
#include "solver/engine.h"

/* Bytes read plus written a second by a copy of a gigabyte within the GPU of a choice: median of five times ten. */
int copy_bandwidth(double *bytes_per_second, const struct solver_options *c, struct error *e);

/* Bytes a second from one GPU to another, likewise: directly where they reach each other, else through the host, as
 * halos go. */
int peer_bandwidth(double *bytes_per_second, int from, int to, struct error *e);

#endif
