/* SPDX-License-Identifier: MIT */
/* Pieces of a leapfrog solver's state (struct piece_access of solver/solver.h). */
#ifndef AULA_SOLVER_CPU_LEAPFROG_PIECES_H
#define AULA_SOLVER_CPU_LEAPFROG_PIECES_H

#include "solver/solver.h"

extern const struct piece_access leapfrog_pieces;

#endif
