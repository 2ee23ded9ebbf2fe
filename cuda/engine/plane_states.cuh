/* SPDX-License-Identifier: MIT */
/* The states of walls with branches by planes, in the order of cuda/grid/branch_order.h, for
 * parts of a grid and for checkpoints. Their locations are determined on first use. */
#ifndef AULA_CUDA_PLANE_STATES_CUH
#define AULA_CUDA_PLANE_STATES_CUH

#include "cuda/engine/state.cuh"

/* The states of some planes: the index of each value among all values on the device, and memory
 * for the values. */
struct state_list {
    uint64_t *at; /* [count], device */
    void *values; /* [count], device; NULL if stored elsewhere */
    size_t count;
};

/* Number of values of the states of nz planes from z0. */
size_t plane_states_count(const cuda_state *s, size_t z0, size_t nz);

/* Must be freed in any case. */
int plane_states_list(struct state_list *list, cuda_state *s, size_t z0, size_t nz, bool with_values, struct error *e);
void plane_states_free(struct state_list *list);

/* Copy between the states of p^n and values[count] on the device, asynchronously. */
void plane_states_gather(const struct state_list *list, const cuda_state *s, void *values, cudaStream_t stream);
void plane_states_scatter(const struct state_list *list, const cuda_state *s, const void *values, cudaStream_t stream);

/* Transfers to and from the host. `often`: the same range will be requested again, and its list
 * is cached. */
int plane_states_get(cuda_state *s, size_t z0, size_t nz, bool often, void *values, struct error *e);
int plane_states_put(cuda_state *s, size_t z0, size_t nz, bool often, const void *values, struct error *e);

/* Sums of energies that are valid until the next step (plane_states.cu, energy.cu). */
struct kept_sums {
    std::vector<double> absorbed; /* [rows]; empty: not computed */
    bool were_put;                /* the sums of this solver have been dropped */
};
struct kept_sums &plane_states_sums(cuda_state *s);
void plane_states_forget_sums(cuda_state *s); /* called before a step */

void plane_states_drop(cuda_state *s);

/* --- as the contract has them --- */

/* The states of walls and the pieces of a solver's state (solver/state.h), in the format of the
 * CPU engine: solver/cpu/leapfrog_state_blocks.c. Sums of energies are those of audited solvers;
 * in other solvers they are 0. */

extern const struct state_access cuda_leapfrog_states;
extern const struct state_block_access cuda_leapfrog_state_blocks;

#endif
