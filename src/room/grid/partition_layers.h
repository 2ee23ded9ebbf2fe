/* SPDX-License-Identifier: MIT */
/* Objects with transmission that stand one behind the other in a wall, of which its two faces tell the solver only the
 * first and the last material. */
#ifndef AULA_ROOM_GRID_PARTITION_LAYERS_H
#define AULA_ROOM_GRID_PARTITION_LAYERS_H

#include "geometry/solid.h"
#include "geometry/voxels/solid_runs.h"
#include "room/grid/model.h"
#include "room/grid/room_surface.h"

struct partition_layers {
    struct room_surface surface;
    struct chord *chords; /* [capacity]: work space */
    bool any;             /* a wall may have several layers */
};

/* Zero it first; free in any case. ERROR_INPUT, ERROR_MEMORY. */
int partition_layers_make(struct partition_layers *l, const struct model *m, struct error *e);
void partition_layers_free(struct partition_layers *l);

/* The number of objects with transmission along a run, of which none overlaps another. */
size_t partition_layers_count(struct partition_layers *l, const struct model *m, const struct solid_run *run);

#endif
