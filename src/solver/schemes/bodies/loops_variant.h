/* SPDX-License-Identifier: MIT */
/* For the sources of loops.h, each compiled for several instruction sets: NAME(loop_dot) becomes, for example,
 * loop_dot_avx2. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_LOOPS_VARIANT_H
#define AULA_SOLVER_SCHEMES_BODIES_LOOPS_VARIANT_H

#ifdef __AVX__
#include <immintrin.h>
#endif

#include "solver/schemes/bodies/loops.h"

#define JOIN(a, b) a##_##b
#define EXPAND(a, b) JOIN(a, b)
#define NAME(function) EXPAND(function, VARIANT)

/* A vector of this instruction set, at any address. Compilers split longer ones through memory. */
#if defined(__AVX512F__)
enum { PART = 8 };
#elif defined(__AVX__)
enum { PART = 4 };
#else
enum { PART = 2 };
#endif
typedef double part __attribute__((vector_size(PART * sizeof(double)), aligned(sizeof(double)), may_alias));

static inline part load(const double *from)
{
    return *(const part *)from;
}

/* Portability: GCC 12 converts vectors of float lane by lane unless told which instruction to use. */
static inline part load_float(const float *from)
{
#if defined(__AVX512F__)
    return (part)_mm512_cvtps_pd(_mm256_loadu_ps(from));
#elif defined(__AVX__)
    return (part)_mm256_cvtps_pd(_mm_loadu_ps(from));
#else
    return (part){(double)from[0], (double)from[1]};
#endif
}

#endif
