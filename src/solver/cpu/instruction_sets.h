/* SPDX-License-Identifier: MIT */
/* Whether this processor supports the instruction set of a kernel: values for `applicable` of a
 * kernel. */
#ifndef AULA_SOLVER_CPU_INSTRUCTION_SETS_H
#define AULA_SOLVER_CPU_INSTRUCTION_SETS_H

#include <xmmintrin.h>

#include "solver/solver.h"

/* NULL, or the reason why the kernel cannot run; the problem is not used. */
const char *runs_anywhere(const struct problem *p);
const char *needs_avx2(const struct problem *p);
const char *needs_avx512(const struct problem *p);

/* Flushes denormal numbers to zero while the field is stepped. They occur at the front of every
 * wave (3^-n after n steps) and cost up to a hundred cycles each on some processors.
 * Portability: depends on the target of the compiler. */

#if defined(__x86_64__)
typedef unsigned float_mode;
static inline float_mode float_mode_flush(void)
{
    float_mode before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u); /* flush to zero, denormals are zero */
    return before;
}
static inline void float_mode_restore(float_mode mode)
{
    _mm_setcsr(mode);
}
#else
typedef int float_mode;
static inline float_mode float_mode_flush(void)
{
    return 0;
}
static inline void float_mode_restore(float_mode mode)
{
    (void)mode;
}
#endif

#endif
