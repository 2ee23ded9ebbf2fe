/* SPDX-License-Identifier: MIT */
/* Rows of a room in the layout of the 19-point kernel: vectors of points whose neighbours are
 * mirrored alike, and the odd points between them.
 *
 * The same vector of consecutive rows forms a column, which is stepped as a whole. Most of a room
 * consists of columns of whole vectors; at walls and objects, some lanes lack a side or are not
 * written. */
#ifndef AULA_SOLVER_CPU_CORNER_COLUMNS_H
#define AULA_SOLVER_CPU_CORNER_COLUMNS_H

#include "solver/schemes/leapfrog/corners.h"

enum { SIDE_LOWER = 1, SIDE_UPPER = 2, SIDES_BOTH = 3, LANES_MAX = 16 };

/* A vector of a row, as bits of its lanes. `write`: the points that are stepped. Also the points
 * without a side along x, and the sides along y and z common to all points. */
struct corner_lanes {
    uint16_t write, no_left, no_right;
    uint8_t sides_y, sides_z;
};

/* A row: its shape, the number of following rows that are stepped with it (whose outer sides
 * along y may differ), and the number of rows from it without odd points. */
struct corner_row {
    uint32_t shape;
    uint16_t alike, even;
};

/* A point outside all vectors. */
struct odd_point {
    uint32_t x : 24;
    uint32_t pattern : 8;
};

/* How an odd point of a pattern is stepped: offsets of its neighbours in a grid. If mirrored,
 * those of the lower and the upper neighbour along x, y and z, where a missing side is replaced
 * by the other one. Otherwise all neighbours in canonical order, each with the number of voxels
 * that contain both points; entries beyond the last are 0. */
struct odd_corner {
    ptrdiff_t offset[CORNER_NEIGHBOURS]; /* values */
    float links[CORNER_NEIGHBOURS];
    double g; /* 2 W over the number of air voxels at the point */
};

struct corner_columns {
    size_t lanes, vectors;       /* lanes of a vector, vectors of a row */
    struct corner_lanes *shapes; /* [shape_count][vectors]: the distinct rows */
    size_t shape_count;
    struct corner_row *rows;    /* [rows] */
    struct odd_point *odd;      /* of each row first the mirrored ones, then the others */
    uint64_t *odd_start;        /* [2 rows + 1]: where both groups of each row begin */
    struct odd_corner *corners; /* [pattern] */
};

/* 0, or -1 when out of memory. lanes <= LANES_MAX */
int corner_columns_make(struct corner_columns *c, const struct rows *rows, size_t lanes);
void corner_columns_free(struct corner_columns *c);

/* The vectors of a row. */
static inline const struct corner_lanes *corner_lanes_of(const struct corner_columns *c, size_t row)
{
    return c->shapes + (size_t)c->rows[row].shape * c->vectors;
}

#endif
