/* SPDX-License-Identifier: MIT */
/* Walls with branches in the reference kernels, point by point: theory (33) and (34). Compiled
 * for both precisions with REAL and VARIANT set. */
#ifndef AULA_SOLVER_CPU_REFERENCE_H
#define AULA_SOLVER_CPU_REFERENCE_H

#include "solver/cpu/kernels.h"
#include "solver/cpu/variant.h"

/* Applies the walls of a point to its rigid update *u and steps their states (v, g by part and branch); returns the
 * energy absorbed. */
double NAME(reference_branch_update)(const struct field *f, const struct wall_key *key, REAL *u, REAL before,
                                     REAL *states);

/* Energy stored in these states. */
double NAME(reference_stored)(const struct field *f, const struct wall_key *key, const REAL *states);

#endif
