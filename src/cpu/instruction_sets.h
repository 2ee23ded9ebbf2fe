/* Which kernels this processor can run: what the `applicable` of a kernel compiled for an instruction set says. */
#ifndef AULA_CPU_INSTRUCTION_SETS_H
#define AULA_CPU_INSTRUCTION_SETS_H

#include "solver/solver.h"

/* NULL, or the reason why not; the problem does not matter. */
const char *runs_anywhere(const struct problem *p);
const char *needs_avx2(const struct problem *p);
const char *needs_avx512(const struct problem *p);

#endif
