/* SPDX-License-Identifier: MIT */
/* Division of the planes of a room's tiles into chunks; host only. */
#ifndef AULA_CUDA_TILE_CHUNKS_CUH
#define AULA_CUDA_TILE_CHUNKS_CUH

#include "cuda/grid/own_planes.cuh"
#include "cuda/temporal/tile_cut.cuh"

/* Sets chunk, slab and list of chunks of a cut with known columns, where `at_once` of its clusters run at a time;
 * returns the cost, in planes. asked: planes of a chunk; 0: as many as take the least time. What costs `to_beat` is of
 * no use.
 *
 * Chunks without air are left out, and the others end where their air ends: what they would write is zero and stays so.
 * In place all are stepped, because what a block writes was other planes before. */
double tile_chunks_choose(tile_cut &t, const cuda_state *s, const struct tile_kernel *k, int at_once, int asked,
                          double to_beat);

/* What a cut with known columns may cost, more or less: to look at the likeliest first. */
double tile_chunks_guess(const tile_cut &t, const struct tile_kernel *k, int at_once, int nz);

/* Whether blocks write nothing to a part's halos: they are taken anew after each, because they have planes for no more
 * than one. A part of a grid that is stepped in place writes to all its planes. */
bool tile_chunks_leave_halos(const own_planes &own, const struct tile_kernel *k);

/* Each tile and chunk of a cut of nz planes that is out of place. */
std::vector<tile_chunk> tile_chunks_all(const tile_cut &cut, int nz);

/* Largest number of planes of a launch. */
int tile_launch_max(const cuda_state *s, const struct tile_kernel *k);

#endif
