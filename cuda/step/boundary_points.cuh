/* SPDX-License-Identifier: MIT */
/* Classification of points for single-step kernels: interior points, and lists of all others
 * (boundary_step.cuh). */
#ifndef AULA_CUDA_BOUNDARY_POINTS_CUH
#define AULA_CUDA_BOUNDARY_POINTS_CUH

#include <vector>

extern "C" {
#include "cuda/engine/check.h"
}
#include "cuda/engine/state.cuh"
#include "cuda/grid/view.cuh"

/* --- points by words of bits --- */

/* Points of a room as words of bits, for the kernels that list them: one bit per point, 32
 * points of a row per word. */

enum { WORD = 32 /* points */, WARP = 32 };

/* The room, for these kernels. */
struct boundary_scan {
    int n[3], from[3], to[3];
    unsigned missing;
    int pitch, words;
    int64_t rows;
    const point_code *map;     /* NULL: every point of the box of air is regular */
    point_code states[STATES]; /* codes of regular points */
    uint32_t *interior, *listed;
};

/* A state without its bits along x. */
static __device__ inline unsigned state_around(const boundary_scan &s, int y, int z)
{
    return ((unsigned)(y == s.from[1]) << 2 | (unsigned)(y + 1 == s.to[1]) << 3 | (unsigned)(z == s.from[2]) << 4 |
            (unsigned)(z + 1 == s.to[2]) << 5) &
           s.missing;
}

static __device__ inline unsigned state_along(const boundary_scan &s, int x)
{
    return ((unsigned)(x == s.from[0]) | (unsigned)(x + 1 == s.to[0]) << 1) & s.missing;
}

static __device__ inline bool in_box(const boundary_scan &s, int x, int y, int z)
{
    return x >= s.from[0] && x < s.to[0] && y >= s.from[1] && y < s.to[1] && z >= s.from[2] && z < s.to[2];
}

static __device__ inline bool find_word(const boundary_scan &s, int64_t *word, int *x, int *y, int *z)
{
    *word = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t row = *word / s.words;
    *x = (int)(*word % s.words) * WORD;
    *y = (int)(row % s.n[1]);
    *z = (int)(row / s.n[1]);
    return row < s.rows;
}

/* The word of a point of the padded grid, and its bit in the word. */
static __host__ __device__ inline int64_t word_of(const boundary_scan &s, uint64_t at)
{
    return (int64_t)(at / (uint64_t)s.pitch) * s.words + (int64_t)(at % (uint64_t)s.pitch) / WORD;
}

static __host__ __device__ inline uint32_t bit_of(const boundary_scan &s, uint64_t at)
{
    return 1u << (at % (uint64_t)s.pitch % WORD);
}

/* Kind of a listed point, with the data for its step. */
static __device__ inline uint32_t kind_of(const boundary_scan &s, uint64_t at)
{
    const int64_t row = (int64_t)(at / (uint64_t)s.pitch);
    const int x = (int)(at % (uint64_t)s.pitch), y = (int)(row % s.n[1]), z = (int)(row / s.n[1]);
    const uint32_t in_grid = (uint32_t)(x > 0) | (uint32_t)(x + 1 < s.n[0]) << 1 | (uint32_t)(y > 0) << 2 |
                             (uint32_t)(y + 1 < s.n[1]) << 3 | (uint32_t)(z > 0) << 4 | (uint32_t)(z + 1 < s.n[2]) << 5;
    const point_code code = s.map ? s.map[at] : s.states[state_around(s, y, z) | state_along(s, x)];
    return code | in_grid << KIND_IN_GRID;
}

static inline unsigned blocks_for(uint64_t threads, unsigned block)
{
    return (unsigned)((threads + block - 1) / block);
}

/* Waits for the kernels; nonzero if one failed. */
static inline int scan_settled(const char *what, struct error *e)
{
    return cuda_check(cudaGetLastError(), what, e) || cuda_check(cudaDeviceSynchronize(), what, e);
}

/* interior: NULL if it is not known yet. */
static inline boundary_scan boundary_scan_of(uint32_t *interior, const cuda_state *s)
{
    const struct layout *l = &s->layout;
    boundary_scan out = {};
    for (int axis = 0; axis < 3; axis++) {
        out.n[axis] = (int)l->points[axis];
        out.from[axis] = (int)l->from[axis];
        out.to[axis] = (int)l->to[axis];
    }
    out.missing = l->missing;
    out.pitch = (int)l->pitch;
    out.words = (int)((l->points[0] + WORD - 1) / WORD);
    out.rows = (int64_t)(l->points[1] * l->points[2]);
    out.map = s->map;
    out.interior = interior;
    for (unsigned state = 0; state < STATES; state++)
        for (size_t code = 1; code < l->code_count && !(state & ~l->missing); code++)
            if (l->codes[code].links == l->states[state].links && l->codes[code].weight == l->states[state].weight &&
                l->states[state].updated) {
                out.states[state] = (point_code)code;
                break;
            }
    return out;
}

/* --- lists of boundary points --- */

/* A block of boundary points: those with branches have the first indices. */
struct listed_block {
    uint64_t plane, last; /* of its first point; none of its points lies beyond plane `last` */
    uint32_t index;
};

struct boundary_points {
    uint32_t *interior; /* [nz][ny][words]; NULL: all points of the box of air are interior points */
    int words;
    uint32_t *branch_kinds; /* [block][BRANCH_THREADS], as the offsets of branch_walls */
    uint64_t *plain_at;
    uint32_t *plain_kinds;
    uint64_t plain_count;
    std::vector<listed_block> blocks; /* by plane */
    std::vector<uint8_t> driven;      /* [drive point]: a boundary point adds it */
};

/* The reason why a grid is too large for boundary points, or NULL. */
const char *boundary_points_refusal(const struct layout *l);

/* Largest number of points without branches. */
uint64_t boundary_points_plain(const struct layout *l);

/* Device memory, bytes. */
uint64_t boundary_points_bytes(const struct layout *l, const struct rows *rows);

/* Allocates nothing for a room with interior points only. */
int boundary_points_setup(struct boundary_points *b, const cuda_state *s, struct error *e);
void boundary_points_drop(struct boundary_points *b);

/* Lists all points with branches, and those without branches whose bits are set; listed: as
 * `interior`. Members that do not depend on the lists are copied from `all`. */
int boundary_points_list_some(struct boundary_points *some, const struct boundary_points *all, const cuda_state *s,
                              uint32_t *listed, struct error *e);
void boundary_points_drop_some(struct boundary_points *some);

/* TILE_MASK by tile of width x height x depth points, tiles across and along; *any: tiles with
 * interior points. */
int boundary_points_flag(const struct boundary_points *b, const cuda_state *s, const int size[3],
                         const unsigned tiles[3], std::vector<uint8_t> *flags, std::vector<uint8_t> *any,
                         struct error *e);

template <typename REAL>
static inline boundary_view<REAL> boundary_view_of(const struct boundary_points *b, const cuda_state *s)
{
    const struct branch_walls *w = &s->branches;
    return {b->interior,
            b->words,
            w->blocks,
            (uint32_t)w->block_count,
            w->offsets,
            b->branch_kinds,
            b->plain_at,
            b->plain_kinds,
            b->plain_count,
            (const branch_factors_device<REAL> *)w->factors,
            (branch_state<REAL> *)w->states[s->pair_of_grids],
            w->kept,
            w->absorbed,
            (const REAL *)partitions_flows(s->partitions, true),
            (const REAL *)partitions_flows(s->partitions, false)};
}

#endif
