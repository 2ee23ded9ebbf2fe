/* SPDX-License-Identifier: MIT */
/* Divides a room into tiles; host only. */
#ifndef AULA_CUDA_TILE_CUT_CUH
#define AULA_CUDA_TILE_CUT_CUH

#include <vector>

#include "cuda/grid/view.cuh"
#include "cuda/temporal/temporal.cuh"
#include "cuda/temporal/tile_parts.cuh"

struct tile_cut {
    std::vector<tile_column> columns;   /* [along][across], first points ascending in both directions */
    int across, along, cluster[2];      /* numbers of tiles along x and y; tiles per cluster */
    int chunk;                          /* largest number of planes of a chunk */
    std::vector<tile_chunk> chunks;     /* with air, in order of their start; empty: all chunks of all columns */
    size_t far_chunks;                  /* number of those, first in the list, that read no plane of a halo */
    int slab;                           /* in place: chunks per launch */
    std::vector<uint8_t> flags;         /* [column][nz] */
    std::vector<tile_event> events;     /* by column and plane */
    std::vector<uint32_t> first_events; /* [column][nz + 1] */
    size_t events_max;                  /* largest number of events of a column */
};

/* Columns in the clusters of least cost, with chunk and slab; empty if none fit. Flags and
 * events are left empty. */
tile_cut tile_cut_best(const struct temporal_state *t, const cuda_state *s, const struct tile_kernel *k);

/* Whether the box of air ends along x between the points of a thread of the 19-point kernel: a
 * wall after the first, or zeros of a fixed end in the first. */
bool tile_cut_splits(const struct layout *l, const struct tile_kernel *k);

/* maps: tiles with irregular points read the map; otherwise the boundary region is stepped
 * separately. */
void tile_cut_flag(tile_cut &cut, const struct layout *l, const struct tile_kernel *k, bool maps);

/* All tiles that compute a driven point add the drive; the one that writes a tap's point records
 * it. Drives come first. */
void tile_cut_list_events(tile_cut &cut, const cuda_state *s, const struct tile_kernel *k);

/* --- chunks: tile_chunks.cu --- */

/* Divides the planes of a room's tiles into chunks; host only. */

/* Sets chunk, slab and list of chunks of a cut with known columns, when `at_once` of its clusters
 * run at a time. Returns the cost in planes. `asked`: planes of a chunk; 0: the number that takes
 * the least time. Stops as soon as the cost reaches `to_beat`.
 *
 * Chunks without air are omitted, and the others end where their air ends: the values that they
 * would write are zero and stay so. In place, all chunks are stepped, as other planes occupied the
 * memory that a block writes. */
double tile_chunks_choose(tile_cut &t, const cuda_state *s, const struct tile_kernel *k, int at_once, int asked,
                          double to_beat);

/* Estimated cost of a cut with known columns, used to examine the likeliest first. */
double tile_chunks_guess(const tile_cut &t, const struct tile_kernel *k, int at_once, int nz);

/* Whether blocks write nothing to a part's halos: they are received anew after each block, as
 * they have planes for only one. A part of a grid that is stepped in place writes to all its
 * planes. */
bool tile_chunks_leave_halos(const own_planes &own, const struct tile_kernel *k);

/* Every tile and chunk of a cut of nz planes that is not in place. */
std::vector<tile_chunk> tile_chunks_all(const tile_cut &cut, int nz);

/* Largest number of planes per launch. */
int tile_launch_max(const cuda_state *s, const struct tile_kernel *k);

#endif
