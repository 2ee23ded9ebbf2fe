/* SPDX-License-Identifier: MIT */
/* Selects the grid points that a film or map reads from the field, and assigns them to pixels. */
#ifndef AULA_PRESENT_FILM_SLICE_SAMPLER_H
#define AULA_PRESENT_FILM_SLICE_SAMPLER_H

#include "room/grid/model.h"

enum { SCREEN_TAPS_MAX = 1 << 17 }; /* points read; larger planes use every second, third .. point along both axes */
#define SCREEN_NONE UINT32_MAX

/* The view of a room in a window of the picture: a plane, or all walls from outside and above. */
struct film_view {
    bool walls;
    int across, up;  /* axes that point to the right and upwards; the third one is cut */
    double at;       /* m: where */
    double lower[3]; /* m: of what is drawn */
    double size[3];  /* m, from there */
    double scale;    /* pixels a metre of a plane; of walls, a third of the height of the picture they are cut out of */
    double box[4];   /* of walls: what is cut out, left, top, right, bottom, as shares of a picture of 4 : 3 */
    size_t columns, rows; /* of the window */
};

struct slice_sampler {
    size_t columns, rows;
    uint32_t *nearest; /* [rows][columns]: the tap whose air is there, or SCREEN_NONE */
    /* Between the taps of a plane; lattice[0] = 0: walls, which show their nearest tap. */
    size_t lattice[2];    /* points across and up */
    uint32_t *tap_at;     /* [lattice[1]][lattice[0]]: tap, or SCREEN_NONE */
    uint32_t *first[2];   /* [columns], [rows]: the lattice point before a pixel */
    float *share[2];      /* likewise: of the point after it */
    uint8_t *light;       /* [rows][columns] of walls: 255 is full; 0: a line. NULL: planes */
    double (*marks)[2];   /* [sources, then receivers] of walls: column, row */
    double at;            /* m: place of the points of a plane */
    double middle;        /* m: of the layer of voxels around it, whose air is shown */
    struct channel *taps; /* [tap_count], of one entry each, at level 0: the time of receivers */
    struct channel_entry *entries;
    size_t tap_count;
};

/* ERROR_INPUT if the plane contains no air or the model has no voxels; ERROR_MEMORY, ERROR_STOPPED. Zero *s first; call
 * slice_sampler_free also after an error. */
int slice_sampler_make(struct slice_sampler *s, const struct model *m, const struct film_view *view, struct error *e);
void slice_sampler_free(struct slice_sampler *s);

/* The value of a pixel in air, interpolated between the surrounding taps in air. values: [tap_count]. */
float slice_sampler_value(const struct slice_sampler *s, const float *values, size_t column, size_t row);

/* Sets view->box to where the walls are. ERROR_MEMORY, ERROR_INPUT without voxels. */
int slice_sampler_find_walls(struct film_view *view, const struct model *m, struct error *e);

/* Shared by slice_sampler.c, slice_sampler_walls.c and map_places.c. */
int slice_sampler_take_points(struct slice_sampler *s, const uint64_t *points, size_t count, struct error *e);
int slice_sampler_no_voxels(const struct model *m, struct error *e);
int slice_sampler_make_walls(struct slice_sampler *s, const struct model *m, const struct film_view *view,
                             struct error *e);

#endif
