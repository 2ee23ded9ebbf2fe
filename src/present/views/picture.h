/* SPDX-License-Identifier: MIT */
/* Renders a room from outside and above without the walls that face the viewer, as pixels with the positions of its sources
 * and receivers. */
#ifndef AULA_PRESENT_VIEWS_PICTURE_H
#define AULA_PRESENT_VIEWS_PICTURE_H

#include "present/views/rectangles.h"
#include "present/views/room_model.h"

enum { PICTURE_CLEAR = 0 }; /* the pixel where nothing is */

/* Direction of view in radians: azimuth around z from the x axis, and elevation above the floor. */
struct viewpoint {
    double turn, rise;
};
extern const struct viewpoint viewpoint_first; /* default of pictures and of the 3D view in reports */

struct picture {
    size_t columns, rows;
    uint8_t *pixels;       /* [rows][columns], the first row on top: PICTURE_CLEAR or an index of palette */
    uint32_t *faces;       /* [rows][columns]: which of the rectangles is seen, counted from 1; 0: none */
    uint32_t palette[256]; /* 0xRRGGBB; of PICTURE_CLEAR white */
    size_t colours;
    double (*marks)[2]; /* [room.mark_count]: column, row */
};

/* ERROR_MEMORY. */
int picture_make(struct picture *p, const struct viewed_room *room, const struct rectangles *faces,
                 const struct viewpoint *from, size_t columns, size_t rows, struct error *e);
void picture_free(struct picture *p); /* safe on a zeroed struct */

/* The place, m, in the plane of a rectangle that the middle of a pixel shows, of a picture of so many columns and
 * rows. */
void picture_place(double place[3], const struct viewed_room *room, const struct viewpoint *from, size_t columns,
                   size_t rows, const struct rectangle *face, size_t column, size_t row);

/* Light on a side, 0 to 1: the same in pictures and in the page's view. */
double side_light(int side);

#endif
