/* SPDX-License-Identifier: MIT */
/* What the CUDA engine alone is told, and tells. Members of struct solver_options and struct solver_plan, so that they
 * are copied with these; other engines refuse what they cannot do, and leave the plan zero. */
#ifndef AULA_SOLVER_CUDA_OPTIONS_H
#define AULA_SOLVER_CUDA_OPTIONS_H

#include <stdbool.h>

/* Zeroed: everything automatic. */
struct cuda_options {
    bool in_place;  /* temporal blocks with two grids, even if four would fit */
    int beside;     /* solvers of other processes that step on the GPU at the same time: several steps in a pass are
                       taken then wherever they can be, though a solver alone may be faster without */
    bool no_tune;   /* the kernel's default block, not a tuned one */
    bool tune_anew; /* tries every kernel, however long that takes, and forgets what it remembered */
};

struct cuda_plan {
    bool in_place;               /* temporal blocks with two grids and spare planes, else four grids */
    bool untried;                /* opening would time kernels; this one is likely */
    int block[3];                /* plain arrays: the block shape, asked for or tuned */
    int registers, shared_bytes; /* of the kernel: per thread, per block */
    double occupancy;            /* share of the warps that a multiprocessor can hold */
};

#endif
