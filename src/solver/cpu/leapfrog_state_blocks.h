/* SPDX-License-Identifier: MIT */
/* Pieces of the state of a leapfrog solver (struct state_block_access of solver/engine.h). */
#ifndef AULA_SOLVER_CPU_LEAPFROG_STATE_BLOCKS_H
#define AULA_SOLVER_CPU_LEAPFROG_STATE_BLOCKS_H

#include "solver/engine.h"

extern const struct state_block_access leapfrog_state_blocks;

#endif
