/* SPDX-License-Identifier: MIT */
/* A level of the boundary region (region_levels.cuh): the kernel's arguments and its launch. */
#ifndef AULA_CUDA_REGION_LEVELS_STEP_CUH
#define AULA_CUDA_REGION_LEVELS_STEP_CUH

#include "cuda/temporal/region_sets.cuh"

/* Values of a vector: 16 bytes. */
template <typename REAL> __host__ __device__ constexpr int level_values()
{
    return 16 / (int)sizeof(REAL);
}

/* What a thread block does. */
enum level_work : uint32_t {
    LEVEL_VECTORS, /* of interior points */
    LEVEL_DRIVEN,  /* the same, some with drives */
    LEVEL_CLEARED, /* vectors without air, of both grids that a temporal block has written */
    LEVEL_PLAIN,   /* boundary points without branches */
    LEVEL_BRANCHED
};

struct alignas(64) level_block {
    branch_block walls; /* of points with branches; of others `points` alone */
    enum level_work work;
};

/* A point or vector of a block; both are read at once, lest one waits for the other. */
struct alignas(8) level_entry {
    uint32_t at;   /* in the padded grid: its first value */
    uint32_t kind; /* of a point, as in boundary_view; of a vector, bit i: its value i is stepped */
};

template <typename REAL> struct level_step : step<REAL> {
    const level_block *blocks;
    const level_entry *entries; /* [block][VECTOR_THREADS] */
    REAL *cleared[2];
    branch_state<REAL> *new_states; /* boundary.states, or another set of the same order */
};

/* Where taps of a level are kept. */
template <typename REAL> struct level_taps {
    const REAL *grid;
    const uint64_t *at;      /* in the padded grid */
    const uint32_t *history; /* [tap] its row of the tap history */
    unsigned count;
    double *levels;
    unsigned long long stride;
    const unsigned long long *base;
    int offset;
};

/* Asks for as much first-level cache as there is: on each device, before the first launch. */
int level_step_prepare(enum air_stencil stencil, enum precision precision, struct error *e);
template <typename REAL>
void level_step_launch(const level_step<REAL> &s, enum air_stencil stencil, cudaStream_t stream);
template <typename REAL> void level_taps_launch(const level_taps<REAL> &t, cudaStream_t stream);

#endif
