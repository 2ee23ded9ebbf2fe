/* Kernels of the CUDA engine: one row of the table in kernels.cu each. */
#ifndef AULA_CUDA_KERNEL_CUH
#define AULA_CUDA_KERNEL_CUH

#include <cstddef>
#include <cstdint>

extern "C" {
#include "cuda/grid/layout.h"
}

/* What a block must know about its tile; 0: nothing special. */
enum tile_flag { TILE_MAP = 1 /* read the codes */, TILE_DRIVE = 2 /* a drive lies inside */ };

/* All drive entries of one point, merged: p+ gets factor * sum of weight[k] * drive[channel[k]]. */
struct drive_point {
    uint64_t at;         /* in the padded grid */
    uint32_t tile;       /* of the kernel's tiling */
    uint32_t first, end; /* of the drive terms */
    double factor;       /* 1/(1 + a): the source sits inside the wall's bracket */
};

/* One term of a drive point or of a tap channel. */
struct term {
    uint64_t at;
    double weight;
    uint32_t channel;
    int32_t level;
};

template <typename REAL> struct coefficients {
    REAL centre; /* 2 - K side */
    REAL weight; /* a/(1 + a) */
};

/* Everything a step needs, passed by value. */
template <typename REAL> struct step {
    REAL *next;         /* p^{n+1} on return; [nz][ny][pitch] */
    const REAL *now;    /* p^n */
    const REAL *before; /* p^{n-1}: `next` itself in lossless air, a grid of its own in air that loses */
    int nx, ny, nz;
    int pitch;
    int64_t plane;      /* values from a plane to the next */
    REAL side;          /* λ² + viscosity: of the six neighbours of p^n, */
    REAL old_side;      /* viscosity: and of p^{n-1}; 0 in lossless air */
    int from[3], to[3]; /* the box of air */
    unsigned missing;
    const coefficients<REAL> *states;   /* [64] */
    const coefficients<REAL> *codes;    /* by point_code */
    const REAL *old_states, *old_codes; /* 1 - K old_side, by the same; in air that loses */
    const point_code *map;              /* [nz][ny][pitch], or NULL when the room is its box */
    const uint8_t *tiles;               /* flags by linear block index, or NULL when all are 0 */
    int chunk;                          /* planes a block marches through */
    bool reversed; /* begin with the last planes: they are what the step before left in the cache */
    /* audio: sample n of a channel is at [channel * stride + n], n = *base + offset */
    const unsigned long long *base;
    int offset;
    const drive_point *drive_points;
    unsigned drive_point_count;
    const term *drive_terms;
    const double *drive;
    unsigned long long drive_stride;
    const term *tap_terms;     /* by channel */
    const uint32_t *tap_first; /* [tap_count + 1] */
    unsigned tap_count;
    double *taps;
    unsigned long long tap_stride; /* steps that a block of audio can hold */
};

enum { ROOM_THREADS = 128 }; /* the most in a block of the kernels that step any room */

struct block_shape {
    int x, y, z; /* threads of a block; z is planes a block covers where a thread marches */
};

struct cuda_kernel {
    const char *name;
    struct block_shape block; /* published or default */
    bool marches;             /* shape.z counts planes a thread marches through, not threads */
    bool own_audio;           /* injects drives and reads taps itself; else the engine launches a kernel for that */
    int values_per_thread[2]; /* along x, by precision */
    /* NULL when it can do this, else the reason why not */
    const char *(*applicable)(const struct problem *p, const struct layout *l);
    void (*launch_single)(const struct step<float> *s, struct block_shape block, cudaStream_t stream);
    void (*launch_double)(const struct step<double> *s, struct block_shape block, cudaStream_t stream);
};
extern const struct cuda_kernel *const cuda_kernels[];         /* NULL-terminated, fastest first */
extern const struct cuda_kernel *const cuda_kernel_variants[]; /* NULL-terminated: taken by name only, listed nowhere */

/* How many blocks a kernel of this shape needs along x, y, z. */
static inline dim3 tiling(int nx, int ny, int nz, struct block_shape block, int values_per_thread)
{
    const int width = block.x * values_per_thread;
    return dim3((unsigned)((nx + width - 1) / width), (unsigned)((ny + block.y - 1) / block.y),
                (unsigned)((nz + block.z - 1) / block.z));
}

#endif
