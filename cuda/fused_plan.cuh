/* A pass of several steps as the engine sees it: which kernel, cut into which tiles. */
#ifndef AULA_CUDA_FUSED_PLAN_CUH
#define AULA_CUDA_FUSED_PLAN_CUH

#include <cuda.h>

#include "kernel.cuh"

struct cuda_state;

/* What a room asks of the code: only rigid or held walls around one box of air, absorbing ones, or a map. */
enum fused_walls { FUSED_RIGID, FUSED_ABSORBING, FUSED_ANY };

/* One shape of the kernel; rows of the tables in fused_single.cu and fused_double.cu. */
struct fused_kernel {
    int steps, width, height; /* in a pass; of a tile, margins included */
    int values, threads;      /* values a thread along x; threads of a block */
    int beside;               /* columns of p^n loaded on each side of a tile; 0: its blocks form no clusters */
    size_t (*bytes)(int planes, size_t events); /* of shared memory */
    int (*prepare)(size_t bytes, struct error *e);
    int (*at_once)(int cluster, size_t bytes); /* clusters of so many blocks */
    /* `pass` is a fused_pass of the kernel's precision */
    void (*launch)(const CUtensorMap *now, const CUtensorMap *before, const void *pass, enum fused_walls walls, unsigned blocks, size_t bytes,
                   cudaStream_t stream);
};
extern const struct cuda_kernel fused_passes; /* a row for the table of kernels: has no launch of its own */
/* Best first, ended by steps = 0. */
extern const struct fused_kernel fused_single[], fused_double[];

struct fused_plan;

/* Why no pass of several steps can be made of this problem, or nullptr. `fuse`: steps asked for, 0: any number. */
const char *fused_refusal(const struct problem *p, const struct layout *l, bool audited, int fuse);

/* The table for a problem. */
const struct fused_kernel *fused_kernels(const struct problem *p);

/* The tiles of a kernel for this room, in place of what the state had; *made is false, and the state has none, when they do not fit.
 * s->fused_chunk: planes of a chunk, s->fused_extent: of a tile or a cluster, 0: as many as pay. */
int fused_set_up(cuda_state *s, const struct fused_kernel *kernel, bool *made, struct error *e);
void fused_drop(cuda_state *s);
const struct fused_kernel *fused_in_use(const cuda_state *s);

/* The pass from p^n, n = phase, of the grids of a pair to the other pair; `offset` counts from *base. */
int fused_enqueue(const cuda_state *s, int phase, int pair, int offset, struct error *e);

/* What receivers hear at the points of all taps is kept level by level, and summed after a block. */
int captures_set_up(cuda_state *s, struct error *e);
void captures_drop(cuda_state *s);
void captures_take(const cuda_state *s, int phase, int pair, int offset); /* of p^n, n = phase, as level *base + offset */
void captures_sum(const cuda_state *s, size_t steps);                     /* of a block, into the taps */
uint64_t captures_bytes(const struct problem *p);

#endif
