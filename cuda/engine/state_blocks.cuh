/* SPDX-License-Identifier: MIT */
/* The states of walls and the pieces of a solver's state (solver.h), in the forms of the CPU engine:
 * solver/cpu/leapfrog_state_blocks.c says what they hold. Sums of energies are those of audited solvers; of others they are 0. */
#ifndef AULA_CUDA_PIECES_CUH
#define AULA_CUDA_PIECES_CUH

#include "cuda/engine/state.cuh"
#include "solver/engine.h"

extern const struct state_access cuda_leapfrog_states;
extern const struct state_block_access cuda_leapfrog_state_blocks;

#endif
