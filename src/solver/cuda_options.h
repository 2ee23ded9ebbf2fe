/* SPDX-License-Identifier: MIT */
/* Options and plan of the CUDA engine. They are members of struct solver_options and struct
 * solver_plan, and are copied with these. Other engines refuse options that they do not support,
 * and leave the plan zero. */
#ifndef AULA_SOLVER_CUDA_OPTIONS_H
#define AULA_SOLVER_CUDA_OPTIONS_H

#include <stdbool.h>

/* Zero-initialized: everything is automatic. */
struct cuda_options {
    bool in_place;  /* temporal blocks with two grids, even if four would fit */
    int beside;     /* solvers of other processes on the same GPU; if any, temporal blocking is used wherever
                       possible, even if a solver by itself would be faster without */
    bool no_tune;   /* use the kernel's default block instead of a tuned one */
    bool tune_anew; /* time every kernel, however long that takes, and discard cached results */
};

struct cuda_plan {
    bool in_place;               /* temporal blocks with two grids and spare planes; otherwise four grids */
    bool untried;                /* opening would time kernels; this kernel is the likely choice */
    int block[3];                /* plain arrays: the block shape, requested or tuned */
    int registers, shared_bytes; /* of the kernel: per thread, per block */
    double occupancy;            /* resident warps relative to the limit of a multiprocessor */
};

#endif
