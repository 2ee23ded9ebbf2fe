/* SPDX-License-Identifier: MIT */
/* Which points the kernels of one step take as interior points, and lists of the others (boundary_step.cuh). */
#ifndef AULA_CUDA_BOUNDARY_POINTS_CUH
#define AULA_CUDA_BOUNDARY_POINTS_CUH

#include <vector>

#include "cuda/engine/state.cuh"

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
    std::vector<uint8_t> driven;      /* [drive point]: a boundary point adds it itself */
};

/* Why a grid is too large for them, or NULL. */
const char *boundary_points_refusal(const struct layout *l);

/* Points without branches, at most. */
uint64_t boundary_points_plain(const struct layout *l);

/* Device memory, bytes. */
uint64_t boundary_points_bytes(const struct layout *l, const struct rows *rows);

/* Nothing is allocated for a room that has interior points alone. */
int boundary_points_setup(struct boundary_points *b, const cuda_state *s, struct error *e);
void boundary_points_drop(struct boundary_points *b);

/* All points with branches, and of those without the ones whose bits are set; listed: as `interior`. What does not
 * depend on them is that of `all`. */
int boundary_points_list_some(struct boundary_points *some, const struct boundary_points *all, const cuda_state *s,
                              uint32_t *listed, struct error *e);
void boundary_points_drop_some(struct boundary_points *some);

/* TILE_MASK by tile of width x height x depth points, tiles across and along; *any: tiles with interior points. */
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
            w->absorbed};
}

#endif
