/* SPDX-License-Identifier: MIT */
/* Event boxes: what sources and receivers need of a temporal block, apart from its tiles. A source between points
 * drives more than a hundred of them, and the tile that holds them would be the last to end. So tiles know nothing of
 * sources and receivers. Boxes of points around them are stepped once more, by thread blocks that run on
 * multiprocessors which the tiles leave idle.
 *
 * A box with receivers records levels into the tap history, and writes nothing else. A box with sources waits until the
 * tiles have written its points, and writes these again.
 *
 * 19-point: the last thread blocks of the tiles' launch step them, and tiles count their arrivals. 7-point: a launch of
 * their own does, which begins as soon as all tiles have, and waits for them to end: tiles may be launched in clusters,
 * and what clusters leave idle has no room for another one. */
#ifndef AULA_CUDA_EVENT_BOXES_CUH
#define AULA_CUDA_EVENT_BOXES_CUH

#include <vector>

#include "cuda/temporal/tile_parts.cuh"

struct cuda_state;
struct tile_cut;
struct tile_kernel;

/* A drive that a box loads, or a tap in it. */
struct box_event {
    tile_event event;
    uint32_t at, halo; /* among the box's values; distance to its points low .. high - 1 */
};

struct event_boxes_plan {
    std::vector<event_box> boxes; /* with receivers, then with sources */
    std::vector<box_event> events;
    unsigned first_driven; /* box with sources */
    unsigned blocks;       /* thread blocks for them; 0: too many, tiles add drives and record taps themselves */
    size_t values;         /* of a level of the largest */
};

/* Whether the tiles' launch steps the boxes, or one of their own. */
bool event_boxes_in_launch(const struct tile_kernel *k);

/* Bytes of shared memory that two levels of a box may take: of a tile, in its launch. */
size_t event_boxes_bytes_max(const struct tile_kernel *k, int chunk);

/* Multiprocessors that the last of a kernel's tiles leave idle. */
size_t event_boxes_idle(const struct tile_kernel *k, const tile_cut &cut, int nz);

/* For a kernel's tiles, as they are cut, and so many multiprocessors. */
void event_boxes_make(event_boxes_plan *plan, const cuda_state *s, const struct tile_kernel *k, const tile_cut &cut,
                      size_t idle);

/* Allows the launch of their own its shared memory, for boxes of so many values. */
int event_boxes_prepare(enum precision precision, size_t values, struct error *e);

/* Right after the tiles of a block of `steps` steps. An error stays for the check after the block. */
template <typename REAL>
void event_boxes_launch(const temporal_block<REAL> &block, int steps, size_t values, cudaStream_t stream);

#endif
