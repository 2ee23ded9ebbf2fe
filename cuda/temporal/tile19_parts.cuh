/* Parts of the kernel of temporal blocks with the 19-point stencil (tile19.cuh): the shape of a tile, and rows of
 * values. */
#ifndef AULA_CUDA_TILE19_PARTS_CUH
#define AULA_CUDA_TILE19_PARTS_CUH

#include "cuda/temporal/tile_parts.cuh"

/* As tile_shape (tile_parts.cuh). AHEAD: planes that are loaded ahead of the one at work. TRAIL: planes by which a level
 * trails the one below, 1 or 2 (tile19.cuh). */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int AHEAD, int TRAIL> struct tile19_shape {
    enum { WIDTH = 32 * V, HEIGHT = ROWS * WARPS, THREADS = 32 * WARPS, HALO_COLUMNS = 0 };
    enum { PLANE = HEIGHT * WIDTH, LOADED = PLANE + 2 * WIDTH };
    enum { RING = AHEAD + 2 + TRAIL, RING_BEFORE = AHEAD + TRAIL - 1 };
    /* Planes of level t in its ring. The last level but one is read by the next alone. */
    __host__ __device__ static constexpr int slots(int t)
    {
        return t == STEPS - 1 ? 2 : 4;
    }
    __host__ __device__ static constexpr int first_slot(int t)
    {
        return t <= 1 ? 0 : first_slot(t - 1) + slots(t - 1);
    }
    enum { BARRIERS = RING + RING_BEFORE };
    __host__ __device__ static constexpr size_t values()
    {
        return (size_t)RING * LOADED + (size_t)RING_BEFORE * PLANE + (size_t)first_slot(STEPS) * PLANE + WIDTH;
    }
    __host__ __device__ static constexpr size_t whole(size_t bytes)
    {
        return (bytes + 7) / 8 * 8;
    }
    /* Bytes of shared memory for chunks of so many planes and tiles of so many events. */
    static constexpr size_t bytes(int planes, size_t events)
    {
        const size_t loaded = (size_t)planes + 2 * STEPS;
        return values() * sizeof(REAL) + (BARRIERS + 1) * sizeof(uint64_t) + whole(loaded) +
               whole((loaded + 1) * sizeof(uint16_t)) + events * (sizeof(tile_event) + STEPS * sizeof(REAL));
    }
};

namespace temporal
{

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* 2 p + a: the product is exact. */
__device__ __forceinline__ float add_twice(float a, float p)
{
    return fmaf(2.0f, p, a);
}

__device__ __forceinline__ double add_twice(double a, double p)
{
    return fma(2.0, p, a);
}

template <typename REAL, int V> __device__ __forceinline__ void load_row(REAL (&to)[V], const REAL *from)
{
    const packed<REAL, V> row = read_row<REAL, V>(from);
#pragma unroll
    for (int v = 0; v < V; v++)
        to[v] = row.v[v];
}

#endif

} // namespace temporal

#endif
