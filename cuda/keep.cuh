/* Pairs of values that the second-level cache should keep rather than what streams past. A seam: compute capability 8.0 and later can be
 * told; others load and store as always. All loads go past the first-level cache. */
#ifndef AULA_CUDA_KEEP_CUH
#define AULA_CUDA_KEEP_CUH

#include <cuda_runtime.h>
#include <stdint.h>

template <typename REAL> struct alignas(2 * sizeof(REAL)) pair {
    REAL first, second;
};

/* A policy that keeps this share (0 to 1) of the lines it is used for, and gives the others up first. */
__device__ __forceinline__ uint64_t keep_policy(float share)
{
    uint64_t policy = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, %1;" : "=l"(policy) : "f"(share));
#endif
    return policy;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

__device__ __forceinline__ pair<float> load_kept(const pair<float> *from, uint64_t policy)
{
    pair<float> p;
    asm volatile("ld.global.cg.L2::cache_hint.v2.f32 {%0, %1}, [%2], %3;"
                 : "=f"(p.first), "=f"(p.second)
                 : "l"(from), "l"(policy));
    return p;
}

__device__ __forceinline__ pair<double> load_kept(const pair<double> *from, uint64_t policy)
{
    pair<double> p;
    asm volatile("ld.global.cg.L2::cache_hint.v2.f64 {%0, %1}, [%2], %3;"
                 : "=d"(p.first), "=d"(p.second)
                 : "l"(from), "l"(policy));
    return p;
}

__device__ __forceinline__ void store_kept(pair<float> *to, pair<float> p, uint64_t policy)
{
    asm volatile("st.global.L2::cache_hint.v2.f32 [%0], {%1, %2}, %3;" ::"l"(to), "f"(p.first), "f"(p.second),
                 "l"(policy)
                 : "memory");
}

__device__ __forceinline__ void store_kept(pair<double> *to, pair<double> p, uint64_t policy)
{
    asm volatile("st.global.L2::cache_hint.v2.f64 [%0], {%1, %2}, %3;" ::"l"(to), "d"(p.first), "d"(p.second),
                 "l"(policy)
                 : "memory");
}

#else

template <typename REAL> __device__ __forceinline__ pair<REAL> load_kept(const pair<REAL> *from, uint64_t)
{
    return {__ldcg(&from->first), __ldcg(&from->second)};
}

template <typename REAL> __device__ __forceinline__ void store_kept(pair<REAL> *to, pair<REAL> p, uint64_t)
{
    *to = p;
}

#endif
#endif
