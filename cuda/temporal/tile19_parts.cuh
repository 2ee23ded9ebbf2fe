/* SPDX-License-Identifier: MIT */
/* Parts of the kernel of temporal blocks with the 19-point stencil (tile19.cuh): the shape of a tile, its events, and
 * rows of values. */
#ifndef AULA_CUDA_TILE19_PARTS_CUH
#define AULA_CUDA_TILE19_PARTS_CUH

#include "cuda/temporal/tile_parts.cuh"

/* A tile_event in shared memory. */
struct tile19_event {
    uint8_t row, x;
    uint16_t plane; /* relative to the first plane loaded */
    uint32_t tap;   /* point of the tap history; DRIVE: a drive */
};

/* As tile_shape (tile_parts.cuh). AHEAD: number of planes loaded ahead of the current one. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int AHEAD> struct tile19_shape {
    enum { WIDTH = 32 * V, HEIGHT = ROWS * WARPS, THREADS = 32 * WARPS, HALO_COLUMNS = 0 };
    enum { PLANE = HEIGHT * WIDTH, LOADED = PLANE + 2 * WIDTH };
    enum { RING = AHEAD + 3 };
    /* In double precision, planes are requested earlier, with one more of p^{n-1}: faster by up
     * to a tenth. In single precision, which waits less, that is slower by a sixth. */
    enum { EARLIER = sizeof(REAL) == sizeof(double), RING_BEFORE = AHEAD + EARLIER };
    enum { BEFORE = RING * LOADED, LEVELS = BEFORE + RING_BEFORE * PLANE }; /* where their first planes begin */
    /* Number of planes of level t in its ring. Only the next level reads the last but one. */
    __host__ __device__ static constexpr int slots(int t)
    {
        return t == STEPS - 1 ? 2 : 3;
    }
    __host__ __device__ static constexpr int first_slot(int t)
    {
        return t <= 1 ? 0 : first_slot(t - 1) + slots(t - 1);
    }
    enum { BARRIERS = RING + RING_BEFORE };
    __host__ __device__ static constexpr size_t values()
    {
        return (size_t)LEVELS + (size_t)first_slot(STEPS) * PLANE;
    }
    /* Bytes of shared memory for chunks of this number of planes and tiles with this number of
     * events. Without events, there are no lists by plane: in single precision no chunk then
     * exceeds the 196 KB that leave 60 KB of first-level cache. */
    static constexpr size_t bytes(int planes, size_t events)
    {
        const size_t loaded = events ? (size_t)planes + 2 * STEPS : 0;
        return values() * sizeof(REAL) + (BARRIERS + 1) * sizeof(uint64_t) +
               events * (sizeof(tile19_event) + STEPS * sizeof(REAL)) + 2 * loaded * sizeof(uint32_t);
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

/* a + sign p, sign = 1 or -1: the product is exact. */
__device__ __forceinline__ float add_product(float a, float p, float sign)
{
    return fmaf(sign, p, a);
}

__device__ __forceinline__ double add_product(double a, double p, double sign)
{
    return fma(sign, p, a);
}

template <typename REAL, int V> __device__ __forceinline__ void load_row(REAL (&to)[V], const REAL *from)
{
    const packed<REAL, V> row = read_row<REAL, V>(from);
#pragma unroll
    for (int v = 0; v < V; v++)
        to[v] = row.v[v];
}

/* The plane of the grid whose mirror image is plane z, up to 2 STEPS beyond it. */
template <typename REAL> __device__ __forceinline__ int mirrored_plane(const temporal_block<REAL> &s, int z)
{
#pragma unroll
    for (int i = 0; i < 2; i++) { /* twice if the walls are close to each other */
        z = abs(z);
        if (z >= s.nz)
            z = 2 * (s.nz - 1) - z;
    }
    return z;
}

/* Drives and taps of a tile in the planes of a chunk, in shared memory, by plane, drives first.
 * Drives are added in registers by way of shared memory. Taps are read while a level is complete
 * in shared memory, those of the last level from a copy of the warp's rows. */
template <typename REAL, int STEPS, int ROWS, int WARPS> struct tile19_events {
    enum : uint32_t { DRIVE = UINT32_MAX, TAPS = 0xffff0000u };
    static_assert(WARPS <= 16, "two bits each in marks");
    uint32_t first;            /* index in the list of all events */
    int count;                 /* of the chunk */
    unsigned long long *level; /* index of level n in the tap history */
    tile19_event *events;      /* [count] */
    REAL *values;              /* [count][STEPS], for drives */
    uint32_t *marks;           /* by plane: bit w: warp w has drives; TAPS: bit 16 + w: warp w has taps, and writes */
    uint32_t *ranges;          /* by plane: the first, plus 65536 times the end */

    /* Counts the events. list: the tile's events, by plane of the grid. */
    __device__ __forceinline__ void find(const uint32_t *list, int z_first, int planes, int nz)
    {
        first = list[max(z_first, 0)];
        count = (int)(list[min(z_first + planes, nz)] - first);
    }

    __device__ __forceinline__ void divide_memory(unsigned long long *memory, unsigned events_max, int planes)
    {
        level = memory;
        events = reinterpret_cast<tile19_event *>(level + 1);
        values = reinterpret_cast<REAL *>(events + events_max);
        marks = reinterpret_cast<uint32_t *>(values + events_max * STEPS);
        ranges = marks + planes;
    }

    /* Called by all threads, one barrier after the marks are zero. */
    __device__ __forceinline__ void load(const temporal_block<REAL> &s, const uint32_t *list, int z_first, int planes)
    {
        if (!count)
            return;
        for (int i = (int)threadIdx.x; i < count * STEPS; i += 32 * WARPS) {
            const tile_event event = s.events[first + (uint32_t)(i / STEPS)];
            const int plane = (int)event.z - z_first;
            if (i % STEPS == 0) {
                events[i / STEPS] = {(uint8_t)event.row, (uint8_t)event.x, (uint16_t)plane,
                                     event.tap ? event.first : (uint32_t)DRIVE};
                if (!event.tap || (plane >= STEPS && plane < planes - STEPS))
                    atomicOr(marks + plane, (event.tap ? 1u << 16 : 1u) << event.row / ROWS);
            }
            if (!event.tap)
                values[i] = drive_value(s, event, i % STEPS);
        }
        if (threadIdx.x == 0)
            *level = *s.base + (unsigned long long)s.offset;
        __syncthreads();
        for (int plane = (int)threadIdx.x; plane < planes; plane += 32 * WARPS) {
            const int z = z_first + plane, in_box = mirrored_plane(s, z);
            ranges[plane] = (list[in_box] - first) | (list[in_box + 1] - first) << 16;
            if (in_box != z)
                marks[plane] = marks[in_box - z_first] & ~(uint32_t)TAPS;
        }
        __syncthreads();
    }

    /* The same in all lanes of a warp. The vote makes this known to the compiler, which would
     * otherwise treat the warp as diverged from here. */
    __device__ __forceinline__ bool marked(int plane, uint32_t mark) const
    {
        return __any_sync(0xffffffffu, plane >= 0 && marks[plane] & mark);
    }

    /* Adds the drives of level t to a warp's rows, [ROWS][width] in shared memory. */
    __device__ __forceinline__ void drive(REAL *rows, int width, int t, int plane, int warp, int lane) const
    {
        const int end = (int)(ranges[plane] >> 16);
#pragma unroll 1
        for (int i = (int)(ranges[plane] & 0xffffu) + lane; i < end; i += 32) {
            const tile19_event event = events[i];
            if (event.tap == DRIVE && event.row / ROWS == warp)
                rows[event.row % ROWS * width + event.x] += values[i * STEPS + t - 1];
        }
    }

    __device__ __forceinline__ void record(const temporal_block<REAL> &s, const tile19_event &event, int t,
                                           REAL value) const
    {
        s.tap_history[event.tap * s.tap_history_stride + *level + (unsigned long long)t] = (double)value;
    }

    /* Taps of a whole plane of level t, [][width] in shared memory; called by all threads. */
    __device__ __forceinline__ void tap(const temporal_block<REAL> &s, const REAL *rows, int width, int t,
                                        int plane) const
    {
        const int end = (int)(ranges[plane] >> 16);
#pragma unroll 1
        for (int i = (int)(ranges[plane] & 0xffffu) + (int)threadIdx.x; i < end; i += 32 * WARPS)
            if (events[i].tap != DRIVE)
                record(s, events[i], t, rows[events[i].row * width + events[i].x]);
        __syncwarp();
    }

    /* The same for a warp's rows. */
    __device__ __forceinline__ void tap_rows(const temporal_block<REAL> &s, const REAL *rows, int width, int t,
                                             int plane, int warp, int lane) const
    {
        const int end = (int)(ranges[plane] >> 16);
#pragma unroll 1
        for (int i = (int)(ranges[plane] & 0xffffu) + lane; i < end; i += 32)
            if (events[i].tap != DRIVE && events[i].row / ROWS == warp)
                record(s, events[i], t, rows[events[i].row % ROWS * width + events[i].x]);
        __syncwarp();
    }
};

#endif

} // namespace temporal

#endif
