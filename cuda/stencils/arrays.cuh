/* SPDX-License-Identifier: MIT */
/* Schemes of plain arrays on the CUDA engine: sweep, derivative, sediment. */
#ifndef AULA_CUDA_ARRAYS_CUH
#define AULA_CUDA_ARRAYS_CUH

#include <cuda_runtime.h>

extern "C" {
#include "solver/engine.h"
#include "solver/scheme.h"
}
#include "cuda/grid/view.cuh"

enum { ARRAYS_MAX = 4, CANDIDATES_MAX = 12 };

/* Arguments of a step. Point (x, y, z) of an array is at z * plane + y * pitch + x of its pointer; ghost points have
 * x or y of -1 or beyond the last. Rows begin at multiples of 128 bytes. Values are of the problem's precision;
 * pointers are the device's. */
struct cuda_array_grid {
    const struct problem *problem;
    int64_t n[3], pitch, plane;
    void *now[ARRAYS_MAX];  /* in the scheme's order */
    void *next[ARRAYS_MAX]; /* results, for the arrays that a step replaces */
    struct block_shape block;
    cudaStream_t stream;
    void *extra; /* from the kernel's open() */
};

/* Resources of a kernel for one block shape. */
struct kernel_figures {
    int registers, shared_bytes;
    double occupancy;
};

/* A row of the kernel table. */
struct cuda_array_kernel {
    const char *name; /* of --kernel */
    const struct scheme *scheme;
    struct block_shape block;                      /* published or default; z depends on the kernel */
    struct block_shape candidates[CANDIDATES_MAX]; /* for the tuner; x = 0 ends the list; empty: never tuned */
    /* NULL if the kernel supports this problem with this block, else the reason why it does not. */
    const char *(*applicable)(const struct problem *p, struct block_shape block);
    /* Enqueues the launches of one step on the grid's stream; the engine calls cudaGetLastError
     * afterwards. It is captured in a graph: no allocation, no synchronization. */
    void (*step)(const struct cuda_array_grid *g);
    void (*figures)(struct kernel_figures *f, const struct problem *p, struct block_shape block); /* may be NULL */
    /* Enqueues the launch that sets the ghost points of `now` before the first step of a run.
     * May be NULL. */
    void (*prepare)(const struct cuda_array_grid *g) = nullptr;
    /* Allocates device memory besides the arrays when the solver opens. May be NULL. 0, or
     * nonzero with *e filled. */
    int (*open)(void **extra, const struct cuda_array_grid *g, struct error *e) = nullptr;
    void (*close)(void *extra) = nullptr;
};
extern const struct cuda_array_kernel
    *const cuda_array_kernels[]; /* NULL-terminated; the fastest first for each scheme */

const char *cuda_array_kernel_name(const struct scheme *scheme, size_t index); /* NULL beyond the last */

extern const struct stepper cuda_arrays;

/* Resources of one kernel function. */
template <typename KERNEL> void figures_of(struct kernel_figures *f, KERNEL kernel, int threads, size_t dynamic_shared)
{
    cudaFuncAttributes attributes = {};
    int blocks = 0, device = 0, warps = 0, width = 32;
    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess || cudaGetDevice(&device) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic_shared) != cudaSuccess ||
        cudaDeviceGetAttribute(&warps, cudaDevAttrMaxThreadsPerMultiProcessor, device) != cudaSuccess)
        return; /* unknown values stay 0; the launch reports the error */
    f->registers = attributes.numRegs;
    f->shared_bytes = (int)(attributes.sharedSizeBytes + dynamic_shared);
    f->occupancy = (double)blocks * ((threads + width - 1) / width * width) / warps;
}

/* --- limits of a launch --- */

/* Limits of a launch, and blocks of a grid of points. */

enum {
    BLOCK_THREADS_MAX = 1024,
    STREAMING_THREADS_MAX = 256, /* per block of the registers kernels */
    LAUNCH_BLOCKS_MAX = 65535,   /* along y and z */
    SHARED_BYTES_MAX = 48 * 1024,
    VECTOR_BYTES = 16, /* of the widest load */
};

static inline size_t value_bytes(const struct problem *p)
{
    return precision_bytes(p->precision);
}

static inline int64_t parts(int64_t whole, int64_t part)
{
    return (whole + part - 1) / part;
}

/* NULL if products of a block's sides stay within 32 bits, else the reason why it is refused. */
static inline const char *refuse_block(struct block_shape b)
{
    const bool fits = b.x >= 1 && b.y >= 1 && b.z >= 1 && b.x <= 1024 && b.y <= 1024 && b.z <= 65536;
    return fits ? nullptr : "a block must have 1 x 1 x 1 to 1024 x 1024 x 65536 threads";
}

/* --- vectors --- */

/* Adjacent values along x that are loaded and stored together. */

/* V values, 16 bytes. */
template <typename REAL, int V> struct alignas(sizeof(REAL) * V) packed {
    REAL v[V];
};

template <typename REAL, int V> __device__ __forceinline__ packed<REAL, V> load(const REAL *p)
{
    return *reinterpret_cast<const packed<REAL, V> *>(p);
}

#endif
