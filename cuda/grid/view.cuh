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

/* The planes that a part of a grid owns. Those before and after them are its halos, received
 * from its neighbours (docs/design/parallel.md); a whole grid has none. */
struct own_planes {
    int first, end, count; /* count: planes of the part, including halos */

    explicit own_planes(const struct problem *p)
        : first((int)p->counted[0]), end((int)(p->counted[1] ? p->counted[1] : p->points[2])), count((int)p->points[2])
    {
    }

    bool has_halos() const
    {
        return first > 0 || end < count;
    }

    /* For planes z0 .. z1 - 1: whether planes within `reach` before, or after, belong to a halo. */
    bool reads_lower_halo(int z0, int reach) const
    {
        return first > 0 && z0 - reach < first;
    }

    bool reads_upper_halo(int z1, int reach) const
    {
        return end < count && z1 + reach > end;
    }
};

/* Flags of a tile of single-step kernels; 0: all its points are interior points without drives. */
enum tile_flag {
    TILE_MASK = 1, /* one bit per point marks interior points */
    TILE_DRIVE = 2 /* a drive lies inside */
};

/* An invalid tile number, for drives at boundary points, which are added with these points. */
enum : uint32_t { NO_TILE = 0xfffffffeu };

/* All drive entries of one point, merged: adds factor * Σ weight[k] * drive[channel[k]] to p⁺. */
struct drive_point {
    uint64_t at;         /* in the padded grid */
    uint32_t tile;       /* in the kernel's tiling */
    uint32_t first, end; /* range of its terms */
    double factor;       /* 1/(1 + a), as the source is inside the wall's bracket */
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

/* Interior points have all their neighbours and are stepped by vectors. Boundary points, at
 * walls, are stepped individually from lists in rooms with branches or irregular points. The
 * kind of a listed point contains the data for its step. */
enum : unsigned {
    KIND_CODE = 0xffffu,       /* these bits: index of its coefficients */
    KIND_IN_GRID = 16,         /* bit f from here: its neighbour at face f is in the grid */
    KIND_DRIVEN = 1u << 22,    /* a source adds to it */
    KIND_LINKED = 1u << 23,    /* partitions that transmit add to it */
    LISTED_BLOCK = 0x80000000u /* in the order of blocks: a block of boundary points, not a tile */
};

template <typename REAL> struct boundary_view {
    const uint32_t *interior; /* [nz][ny][words], bit x % 32: interior point; NULL: no boundary points */
    int words;                /* words per row */
    const branch_block *blocks;
    uint32_t branch_blocks; /* blocks of points with branches; the other blocks follow */
    const uint32_t *offsets, *branch_kinds;
    const uint64_t *plain_at; /* points without branches: index in the padded grid */
    const uint32_t *plain_kinds;
    uint64_t plain_count;
    const branch_factors_device<REAL> *factors;
    vector2<REAL> *states;
    float kept;                             /* share of the states to keep in the second-level cache */
    double *absorbed;                       /* by slot in audited solvers; otherwise NULL */
    const REAL *branch_flows, *plain_flows; /* what KIND_LINKED points with and without branches receive, by slot */
};

template <typename REAL> struct coefficients {
    REAL centre; /* 2 - K side; 19-point: the pattern of the voxels at the point, as a number */
    REAL weight; /* a/(1 + a) */
};

/* The grid, common to all kernels of the scheme. Arrays are [nz][ny][pitch]. */
template <typename REAL> struct grid_view {
    int nx, ny, nz;
    int pitch;
    int64_t plane;                   /* distance between planes in values */
    int from[3], to[3];              /* the box of air: points from .. to - 1 */
    unsigned missing;                /* bit f: a wall lies beyond face f of the box; otherwise a fixed layer (p = 0) */
    REAL side;                       /* coefficient of the six neighbours of p^n: λ² + viscosity */
    const coefficients<REAL> *codes; /* by point_code */
    const point_code *map;           /* [nz][ny][pitch]; NULL if every point is regular */
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
    const uint8_t *tiles;  /* tile_flag by tile; NULL if all are 0 */
    const uint32_t *order; /* of thread blocks: tiles, LISTED_BLOCK + blocks of boundary points; NULL: all tiles */
    unsigned block_count;  /* length of `order`, or of the section of this launch */
    unsigned first_block;  /* start of that section */
    int tiling[2];         /* tiles along x and y */
    int chunk;             /* planes along z that a thread block streams through */
    bool reversed;         /* starts with the last planes, which the previous step left in the second-level cache */
    unsigned *ended;       /* [tile] steps ended, and a word for taps (step/step_tiles.cuh); NULL: not used */
    unsigned turn;         /* steps since these were cleared */
    const drive_point *drive_points;
    unsigned drive_point_count;
    const term *tap_terms;     /* by channel */
    const uint32_t *tap_first; /* [tap_count + 1] */
    unsigned tap_count;
    unsigned tap_blocks; /* number of thread blocks, first in a kernel that reads taps, that do nothing else */
    double *taps;        /* [channel][tap_stride] */
    unsigned long long tap_stride; /* largest number of steps in a block of audio */
};

struct block_shape {
    int x, y, z; /* threads of a thread block; z: number of planes if its threads stream along z */
};

/* Grid of thread blocks of this shape along x, y, z. */
static inline dim3 tiling(int nx, int ny, int nz, struct block_shape block, int values_per_thread)
{
    const int width = block.x * values_per_thread;
    return dim3((unsigned)((nx + width - 1) / width), (unsigned)((ny + block.y - 1) / block.y),
                (unsigned)((nz + block.z - 1) / block.z));
}

#endif
