/* SPDX-License-Identifier: MIT */
/* Draws a section of a room from its voxels. */
#ifndef AULA_PRESENT_VIEWS_SECTION_H
#define AULA_PRESENT_VIEWS_SECTION_H

#include "io/drawing/drawing.h"
#include "present/views/room_model.h"

/* Where it is on the page: units of the corner (from[across], from[up]); y is down. */
struct section_place {
    int across, up;     /* axes that point to the right and upwards; the third one is cut */
    double cut;         /* m: where; moved into the room when it is beyond */
    double x, y, scale; /* units; units a metre */
    double from[3];     /* m */
};

/* A plan is seen from above, sections along x and y from the lower end of the axis: of what is beyond the cut the
 * nearest faces in the light colour of their material, with lines where one stands before another; the air's edge in
 * the cut itself as a bold line in the material's colour, and what is enclosed by air as solid. ERROR_MEMORY. */
int section_draw(const struct section_place *place, const struct viewed_room *room, struct drawing *d, struct error *e);

/* Of that only what is in the cut itself, to be drawn over a picture of the field there: the air's edge, and hatched
 * what is enclosed by air. used[room->material_count] (NULL: not wanted): which materials the edge has.
 * ERROR_MEMORY. */
int section_draw_edges(const struct section_place *place, const struct viewed_room *room, struct drawing *d, bool *used,
                       struct error *e);

#endif
