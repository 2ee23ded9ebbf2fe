/* SPDX-License-Identifier: MIT */
/* Vector types and shuffles for kernels compiled with REAL, MASK_INTEGER and LANES set (CMakeLists.txt). */
#ifndef AULA_SOLVER_CPU_VECTORS_H
#define AULA_SOLVER_CPU_VECTORS_H

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/cpu/variant.h"

/* Shuffle indices into two consecutive vectors, by number of lanes. */
#define LEFT_2 PICK(1, 2)
#define LEFT_4 PICK(3, 4, 5, 6)
#define LEFT_8 PICK(7, 8, 9, 10, 11, 12, 13, 14)
#define LEFT_16 PICK(15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
#define RIGHT_2 PICK(1, 2)
#define RIGHT_4 PICK(1, 2, 3, 4)
#define RIGHT_8 PICK(1, 2, 3, 4, 5, 6, 7, 8)
#define RIGHT_16 PICK(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)

typedef REAL vector __attribute__((vector_size(LANES * sizeof(REAL)), may_alias));

typedef MASK_INTEGER mask __attribute__((vector_size(LANES * sizeof(REAL)), may_alias));
typedef mask unaligned_mask __attribute__((aligned(sizeof(REAL))));

static inline vector load(const REAL *from)
{
    return *(const vector *)from;
}

/* Mask of the lanes from k on, 0 <= k <= LANES. */
static inline mask lanes_from(size_t k)
{
    static const MASK_INTEGER edge[32] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
                                          -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    return *(const unaligned_mask *)(edge + 16 - k);
}

/* The vector shifted by one lane to the right and to the left, filled from the vectors before
 * and after. Portability: with AVX-512, the compiler does not find a single instruction for the
 * shuffle. */
static inline vector left_neighbours(vector before, vector here)
{
#if defined(__AVX512F__) && LANES == 16
    return (vector)_mm512_alignr_epi32((__m512i)here, (__m512i)before, 15);
#elif defined(__AVX512F__) && LANES == 8
    return (vector)_mm512_alignr_epi64((__m512i)here, (__m512i)before, 7);
#else
#define PICK(...) __builtin_shufflevector(before, here, __VA_ARGS__)
    return EXPAND(LEFT, LANES);
#undef PICK
#endif
}

static inline vector right_neighbours(vector here, vector after)
{
#if defined(__AVX512F__) && LANES == 16
    return (vector)_mm512_alignr_epi32((__m512i)after, (__m512i)here, 1);
#elif defined(__AVX512F__) && LANES == 8
    return (vector)_mm512_alignr_epi64((__m512i)after, (__m512i)here, 1);
#else
#define PICK(...) __builtin_shufflevector(here, after, __VA_ARGS__)
    return EXPAND(RIGHT, LANES);
#undef PICK
#endif
}

/* 2 a + b. The product is exact, so that a fused multiply-add gives the same bits. Portability:
 * the compiler may not fuse. */
static inline vector twice_plus(vector a, vector b)
{
#if defined(__AVX512F__) && LANES == 16
    return (vector)_mm512_fmadd_ps((__m512)a, _mm512_set1_ps(2.0f), (__m512)b);
#elif defined(__AVX512F__) && LANES == 8
    return (vector)_mm512_fmadd_pd((__m512d)a, _mm512_set1_pd(2.0), (__m512d)b);
#else
    return (REAL)2 * a + b;
#endif
}

/* Loads the first `count` < LANES values from any address, with 0 in the other lanes, and stores
 * them; no byte beyond is accessed. Portability: AULA_PARTIAL_VECTORS is 0, and these functions
 * do not exist, on processors without masked moves. */
#if defined(__AVX512F__) && LANES == 16
#define AULA_PARTIAL_VECTORS 1
static inline vector load_first(const REAL *from, size_t count)
{
    return (vector)_mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), from);
}
static inline void store_first(REAL *to, vector value, size_t count)
{
    _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1), (__m512)value);
}
#elif defined(__AVX512F__) && LANES == 8
#define AULA_PARTIAL_VECTORS 1
static inline vector load_first(const REAL *from, size_t count)
{
    return (vector)_mm512_maskz_loadu_pd((__mmask8)((1u << count) - 1), from);
}
static inline void store_first(REAL *to, vector value, size_t count)
{
    _mm512_mask_storeu_pd(to, (__mmask8)((1u << count) - 1), (__m512d)value);
}
#elif defined(__AVX2__) && LANES == 8
#define AULA_PARTIAL_VECTORS 1
static inline vector load_first(const REAL *from, size_t count)
{
    return (vector)_mm256_maskload_ps(from, (__m256i)~lanes_from(count));
}
static inline void store_first(REAL *to, vector value, size_t count)
{
    _mm256_maskstore_ps(to, (__m256i)~lanes_from(count), (__m256)value);
}
#elif defined(__AVX2__) && LANES == 4
#define AULA_PARTIAL_VECTORS 1
static inline vector load_first(const REAL *from, size_t count)
{
    return (vector)_mm256_maskload_pd(from, (__m256i)~lanes_from(count));
}
static inline void store_first(REAL *to, vector value, size_t count)
{
    _mm256_maskstore_pd(to, (__m256i)~lanes_from(count), (__m256d)value);
}
#else
#define AULA_PARTIAL_VECTORS 0
#endif

/* Mask of lane k, or an empty mask. */
static inline mask lane_if(bool wanted, size_t k)
{
    const mask none = {0};
    return wanted ? (mask)(lanes_from(k) & ~lanes_from(k + 1)) : none;
}

#endif
