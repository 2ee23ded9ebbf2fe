/* SPDX-License-Identifier: MIT */
/* Whether this processor can run a kernel compiled for an instruction set: values for the kernel's `applicable`. */
#ifndef AULA_SOLVER_CPU_INSTRUCTION_SETS_H
#define AULA_SOLVER_CPU_INSTRUCTION_SETS_H

#include "solver/solver.h"

/* NULL, or the reason why not; the problem is not used. */
const char *runs_anywhere(const struct problem *p);
const char *needs_avx2(const struct problem *p);
const char *needs_avx512(const struct problem *p);

#endif
