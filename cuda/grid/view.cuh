/* SPDX-License-Identifier: MIT */
/* Views of the leapfrog field, passed to kernels by value: the grid, the drives, one step. */
#ifndef AULA_CUDA_VIEW_CUH
#define AULA_CUDA_VIEW_CUH

#include <cstddef>
#include <cstdint>

extern "C" {
#include "cuda/grid/layout.h"
}

/* Flags of a tile of the kernels of one step; 0: inside the regular box of air, without drives. */
enum tile_flag {
    TILE_MAP = 1,   /* read the codes */
    TILE_DRIVE = 2, /* a drive lies inside */
    TILE_EMPTY = 4  /* no air: its points are zero and stay so */
};

/* All drive entries of one point, merged: adds factor * Σ weight[k] * drive[channel[k]] to p⁺. */
struct drive_point {
    uint64_t at;         /* in the padded grid */
    uint32_t tile;       /* in the kernel's tiling */
    uint32_t first, end; /* range of its terms */
    double factor;       /* 1/(1 + a): the source is inside the wall's bracket */
};

/* One term of a drive point or of a tap channel. */
struct term {
    uint64_t at;
    double weight;
    uint32_t channel;
    int32_t level;
};

template <typename REAL> struct coefficients {
    REAL centre; /* 2 - K side; 19-point: the pattern of the voxels at the point, as a number */
    REAL weight; /* a/(1 + a) */
};

/* The grid, common to all kernels of the scheme. Arrays are [nz][ny][pitch]. */
template <typename REAL> struct grid_view {
    int nx, ny, nz;
    int pitch;
    int64_t plane;                   /* values from a plane to the next */
    int from[3], to[3];              /* the box of air: points from .. to - 1 */
    unsigned missing;                /* bit f: beyond face f of the box is a wall, else a fixed layer (p = 0) */
    REAL side;                       /* coefficient of the six neighbours of p^n: λ² + viscosity */
    const coefficients<REAL> *codes; /* by point_code */
    const point_code *map;           /* [nz][ny][pitch]; NULL where every point is regular */
};

/* Drive signals: sample n of a channel is at drive[channel * drive_stride + n], n = *base + offset. */
struct drive_view {
    const unsigned long long *base;
    int offset;
    const term *drive_terms;
    const double *drive;
    unsigned long long drive_stride;
};

/* The arguments of one step. */
template <typename REAL> struct step : grid_view<REAL>, drive_view {
    REAL *next;                         /* p^{n+1} on return */
    const REAL *now;                    /* p^n */
    const REAL *before;                 /* p^{n-1}: `next` itself in lossless air, a third grid in lossy air */
    REAL old_side;                      /* coefficient of the six neighbours of p^{n-1}: viscosity, 0 in lossless air */
    const coefficients<REAL> *states;   /* [STATES] */
    const REAL *old_states, *old_codes; /* 1 - K old_side, by the same indices; lossy air */
    const uint8_t *tiles;               /* tile_flag by linear block index; NULL when all are 0 */
    int chunk;                          /* planes along z that a thread block streams through */
    bool reversed; /* starts with the last planes, which the previous step left in the second-level cache */
    const drive_point *drive_points;
    unsigned drive_point_count;
    const term *tap_terms;     /* by channel */
    const uint32_t *tap_first; /* [tap_count + 1] */
    unsigned tap_count;
    double *taps;                  /* [channel][tap_stride] */
    unsigned long long tap_stride; /* steps that a block of audio holds at most */
};

struct block_shape {
    int x, y, z; /* threads of a thread block; z: its planes, when its threads stream along z */
};

/* Grid of thread blocks of this shape along x, y, z. */
static inline dim3 tiling(int nx, int ny, int nz, struct block_shape block, int values_per_thread)
{
    const int width = block.x * values_per_thread;
    return dim3((unsigned)((nx + width - 1) / width), (unsigned)((ny + block.y - 1) / block.y),
                (unsigned)((nz + block.z - 1) / block.z));
}

#endif
