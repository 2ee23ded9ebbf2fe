/* SPDX-License-Identifier: MIT */
#include "solver/cpu/instruction_sets.h"

const char *runs_anywhere(const struct problem *p)
{
    (void)p;
    return NULL;
}

/* Portability: AULA_X86_64 is set by the build when the compiler targets it. */
#ifdef AULA_X86_64

const char *needs_avx2(const struct problem *p)
{
    (void)p;
    return __builtin_cpu_supports("avx2") ? NULL : "this processor does not support AVX2";
}

const char *needs_avx512(const struct problem *p)
{
    (void)p;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
               ? NULL
               : "this processor does not support AVX-512";
}

#endif
