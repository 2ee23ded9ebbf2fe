/* How the CUDA engine steps the schemes of plain arrays: sweep, derivative, sediment. */
#ifndef AULA_CUDA_ARRAYS_CUH
#define AULA_CUDA_ARRAYS_CUH

#include <cuda_runtime.h>

extern "C" {
#include "schemes/scheme.h"
#include "solver/solver.h"
}
#include "cuda/grid/view.cuh"

enum { ARRAYS_MAX = 4, BLOCKS_MAX = 12 };

/* What a kernel works on: point (x, y, z) of an array is at z * plane + y * pitch + x of its pointer; ghost points have x or y of -1
 * or beyond the last. Rows begin on 128 bytes. Values are of the problem's precision; pointers are the device's. */
struct cuda_array_grid {
    const struct problem *problem;
    int64_t n[3], pitch, plane;
    void *now[ARRAYS_MAX];  /* in the scheme's order */
    void *next[ARRAYS_MAX]; /* of the arrays that a step replaces: written by it */
    struct block_shape block;
    cudaStream_t stream;
    void *extra; /* what the kernel's open() made */
};

/* What the compiler made of a kernel, for one block shape. */
struct kernel_figures {
    int registers, shared_bytes;
    double occupancy;
};

struct cuda_array_kernel {
    const char *name;
    const struct scheme *scheme;
    struct block_shape block;                  /* published or default; z is as the kernel says */
    struct block_shape candidates[BLOCKS_MAX]; /* what the tuner may try; x = 0 ends the list; empty: never tuned */
    /* NULL when it can do this with this block, else the reason why not */
    const char *(*applicable)(const struct problem *p, struct block_shape block);
    /* Enqueues the launches of one step on the grid's stream; the engine asks cudaGetLastError after it. Captured in a graph: no
     * allocation, no synchronisation. */
    void (*step)(const struct cuda_array_grid *g);
    void (*figures)(struct kernel_figures *f, const struct problem *p, struct block_shape block); /* may be NULL */
    /* Before the first step of a run, on the grid's stream, for `now`: ghost points. May be NULL. */
    void (*prepare)(const struct cuda_array_grid *g);
    /* Once, when the solver opens: what lives on the device besides the arrays. NULL: nothing. 0, or nonzero with *e filled. */
    int (*open)(void **extra, const struct cuda_array_grid *g, struct error *e);
    void (*close)(void *extra);
};
extern const struct cuda_array_kernel
    *const cuda_array_kernels[]; /* NULL-terminated; of each scheme the fastest first */

const char *cuda_array_kernel_name(const struct scheme *scheme, size_t index); /* NULL beyond the last */

extern const struct stepper cuda_arrays;

/* Figures of one kernel function. */
template <typename KERNEL> void figures_of(struct kernel_figures *f, KERNEL kernel, int threads, size_t dynamic_shared)
{
    cudaFuncAttributes attributes = {};
    int blocks = 0, device = 0, warps = 0, width = 32;
    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess || cudaGetDevice(&device) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic_shared) != cudaSuccess ||
        cudaDeviceGetAttribute(&warps, cudaDevAttrMaxThreadsPerMultiProcessor, device) != cudaSuccess)
        return; /* figures for a table: what is unknown stays 0, and the launch will tell why */
    f->registers = attributes.numRegs;
    f->shared_bytes = (int)(attributes.sharedSizeBytes + dynamic_shared);
    f->occupancy = (double)blocks * ((threads + width - 1) / width * width) / warps;
}

#endif
