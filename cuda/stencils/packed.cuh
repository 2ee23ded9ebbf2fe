/* SPDX-License-Identifier: MIT */
/* Neighbours along x that are loaded and stored at once. */
#ifndef AULA_CUDA_STENCILS_PACKED_CUH
#define AULA_CUDA_STENCILS_PACKED_CUH

/* V values, 16 bytes. */
template <typename REAL, int V> struct alignas(sizeof(REAL) * V) packed {
    REAL v[V];
};

template <typename REAL, int V> __device__ __forceinline__ packed<REAL, V> load(const REAL *p)
{
    return *reinterpret_cast<const packed<REAL, V> *>(p);
}

#endif
