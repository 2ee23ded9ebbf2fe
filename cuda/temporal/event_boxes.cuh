/* SPDX-License-Identifier: MIT */
/* Event boxes: what sources and receivers need of a temporal block of the 19-point stencil, apart from its tiles. A source
 * between points drives more than a hundred of them, and the tile that holds them would be the last to end. So tiles know
 * nothing of sources and receivers. Boxes of points around them are stepped once more, by thread blocks of the same
 * launch that run on multiprocessors which its tiles leave idle.
 *
 * A box with receivers records levels into the tap history, and writes nothing else. A box with sources waits until the
 * tiles have written its points, and writes these again. */
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
};

/* For a kernel's tiles, as they are cut. */
void event_boxes_make(event_boxes_plan *plan, const cuda_state *s, const struct tile_kernel *k, const tile_cut &cut);

#endif
