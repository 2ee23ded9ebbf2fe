/* SPDX-License-Identifier: MIT */
/* The boundary region of temporal blocks. A temporal block takes every point for a regular one and walls with
 * branches for rigid ones; so it computes wrong what lies within STEPS - 1 links of such a wall or of an irregular
 * point. These points, the boundary region, are computed again from the same grids, and points without air are cleared.
 * By tiles: flat walls with branches by wall tiles (wall_tiles.cuh), edges and objects by boundary tiles
 * (boundary_tiles.cuh), all steps of the block at once. By levels: step by step (region_levels.cuh), which is faster
 * where walls are slanted or stepped, as tiles of those load many points for each that they keep. Arithmetic order as
 * in the kernels of single steps: the same bits. */
#ifndef AULA_CUDA_BOUNDARY_REGION_CUH
#define AULA_CUDA_BOUNDARY_REGION_CUH

extern "C" {
#include "solver/schemes/leapfrog/rows.h"
}

struct cuda_state;
struct layout;
struct boundary_region;
struct temporal_state;
template <typename REAL> struct temporal_block;

/* Why these walls cannot be computed so, or nullptr. */
const char *boundary_region_refusal(const struct rows *rows);

/* Whether there is an irregular point or a wall with branches. Temporal blocks in place overwrite the grids that the
 * region would be computed from: those read the map instead. */
bool boundary_region_needed(const cuda_state *s);

/* The form of a room's region that is likely to be the faster one, and whether it can be stepped by levels at all. */
enum region_form boundary_region_likely(const cuda_state *s);
enum region_form boundary_region_likely_in(const struct layout *l, const struct rows *rows); /* where it can be */
bool boundary_region_has_levels(const cuda_state *s);

/* t->boundary_region for temporal blocks of so many steps in the form that t asks for, where one is needed, and the
 * second states of branches that it takes; one for as many steps in that form is kept. *fit is false where, by tiles,
 * some points fit into no boundary tile, too many tiles differ in shape, or reading the map would be faster. */
int boundary_region_set_up(struct temporal_state *t, cuda_state *s, int steps, bool *fit, struct error *e);
void boundary_region_drop(struct boundary_region *b); /* NULL-safe */

/* Device memory for it, the second set of states included, the map not. */
uint64_t boundary_region_device_bytes(const struct layout *l, const struct rows *rows, enum precision precision);

enum region_form boundary_region_form(const struct boundary_region *b); /* NULL: REGION_FASTEST */

/* Grids that it has besides, at most, with blocks of up to so many steps. asked: the form asked for. */
int boundary_region_grids(const struct problem *p, const struct layout *l, const struct rows *rows,
                          enum region_form asked, int steps);

/* In device memory; a temporal block clears it before it lets the next kernel start. NULL with levels, which follow
 * each other. */
unsigned *boundary_region_completion_flag(const struct boundary_region *b);

/* Launched right after the temporal block from p^n, n = phase, of a pair of grids. The kernels start while the block
 * ends: those of tiles read what it reads, and wait for its end before they write. */
template <typename REAL>
void boundary_region_enqueue(const struct boundary_region *b, const cuda_state *s, const temporal_block<REAL> &block,
                             int steps, int phase, int pair_of_grids);

#endif
