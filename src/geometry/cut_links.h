/* SPDX-License-Identifier: MIT */
/* Iterates over the links that triangles cross, with the voxels at their ends. */
#ifndef AULA_GEOMETRY_CUT_LINKS_H
#define AULA_GEOMETRY_CUT_LINKS_H

#include "geometry/room_cuts.h"

struct cut_link {
    int axis;
    size_t lower[3];      /* voxel */
    const crossing *cuts; /* [count] */
    size_t count;
    bool air[2]; /* whether the lower and the upper voxel are air of the room */
};

/* Calls visit(context, link) for each whose lower voxel is in planes from .. end - 1, from several threads at once and
 * in no order. ERROR_STOPPED. */
int cut_links_visit(const struct room_cuts *r, size_t from, size_t end,
                    void (*visit)(void *context, const struct cut_link *link), void *context, struct error *e);

#endif
