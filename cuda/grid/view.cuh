/* SPDX-License-Identifier: MIT */
/* Views of the leapfrog field, passed to kernels by value: the grid, the drives, one step. */
#ifndef AULA_CUDA_VIEW_CUH
#define AULA_CUDA_VIEW_CUH

#include <cstddef>
#include <cstdint>

extern "C" {
#include "cuda/grid/layout.h"
#include "solver/scheme.h"
}

/* The planes of a part of a grid that are its own. Those before and after them, its halos, are taken from its
 * neighbours (docs/design/parallel.md); a whole grid has none. */
struct own_planes {
    int first, end, count; /* count: of the part, halos included */

    explicit own_planes(const struct problem *p)
        : first((int)p->counted[0]), end((int)(p->counted[1] ? p->counted[1] : p->points[2])), count((int)p->points[2])
    {
    }

    bool has_halos() const
    {
        return first > 0 || end < count;
    }

    /* Of planes z0 .. z1 - 1: whether those at most `reach` before, or after, are in a halo. */
    bool reads_lower_halo(int z0, int reach) const
    {
        return first > 0 && z0 - reach < first;
    }

    bool reads_upper_halo(int z1, int reach) const
    {
        return end < count && z1 + reach > end;
    }
};

/* Flags of a tile of the kernels of one step; 0: all its points are interior points, without drives. */
enum tile_flag {
    TILE_MASK = 1, /* a bit a point says which are interior points */
    TILE_DRIVE = 2 /* a drive lies inside */
};

/* A tile that no kernel has: of drives at boundary points, which these add themselves. */
enum : uint32_t { NO_TILE = 0xfffffffeu };

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

struct branch_block;
template <typename REAL> struct branch_factors_device;
template <typename REAL> struct vector2;

/* Interior points have all their neighbours and are stepped by vectors. Boundary points, at walls, are stepped one by
 * one from lists in rooms with branches or irregular points. A kind of a listed point holds what its step needs. */
enum : unsigned {
    KIND_CODE = 0xffffu,       /* these bits: index of its coefficients */
    KIND_IN_GRID = 16,         /* bit f from here on: its neighbour at face f is in the grid */
    KIND_DRIVEN = 1u << 22,    /* a source adds to it */
    LISTED_BLOCK = 0x80000000u /* in the order of blocks: of boundary points, not a tile */
};

template <typename REAL> struct boundary_view {
    const uint32_t *interior; /* [nz][ny][words], bit x % 32: an interior point; NULL: no boundary points */
    int words;                /* of a row */
    const branch_block *blocks;
    uint32_t branch_blocks; /* of points with branches; those of the others come after them */
    const uint32_t *offsets, *branch_kinds;
    const uint64_t *plain_at; /* without branches: in the padded grid */
    const uint32_t *plain_kinds;
    uint64_t plain_count;
    const branch_factors_device<REAL> *factors;
    vector2<REAL> *states;
    float kept;       /* share of the states to keep in the second-level cache */
    double *absorbed; /* by slot, when audited; else NULL */
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
    boundary_view<REAL> boundary;
    const uint8_t *tiles;  /* tile_flag by tile; NULL when all are 0 */
    const uint32_t *order; /* of thread blocks: tiles, LISTED_BLOCK + blocks of boundary points; NULL: all tiles */
    unsigned block_count;  /* its length, or that of the part that this launch takes */
    unsigned first_block;  /* of that part */
    int tiling[2];         /* tiles along x and y */
    int chunk;             /* planes along z that a thread block streams through */
    bool reversed;         /* starts with the last planes, which the previous step left in the second-level cache */
    unsigned *ended; /* [tile] steps ended, and a word for taps (step/step_tiles.cuh); NULL: steps wait for kernels */
    unsigned turn;   /* steps since these were cleared */
    const drive_point *drive_points;
    unsigned drive_point_count;
    const term *tap_terms;     /* by channel */
    const uint32_t *tap_first; /* [tap_count + 1] */
    unsigned tap_count;
    unsigned tap_blocks;           /* the first thread blocks of a kernel that reads taps, which do nothing else */
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
