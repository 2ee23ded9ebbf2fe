/* SPDX-License-Identifier: MIT */
/* Rows of a room as the 19-point kernel steps them: vectors of points whose neighbours are mirrored alike, and the odd
 * points that lie between.
 *
 * The same vector of consecutive rows makes a column, which is stepped at once: most of a room is columns of whole
 * vectors, at walls and objects some lanes lack a side or are not written. */
#ifndef AULA_SOLVER_CPU_CORNER_COLUMNS_H
#define AULA_SOLVER_CPU_CORNER_COLUMNS_H

#include "solver/schemes/leapfrog/corners.h"

enum { SIDE_LOWER = 1, SIDE_UPPER = 2, SIDES_BOTH = 3, LANES_MAX = 16 };

/* A vector of a row: bits of its lanes. `write`: the points that are stepped. Of these, those without a side along x,
 * and the sides that all of them have along y and z. */
struct corner_lanes {
    uint16_t write, no_left, no_right;
    uint8_t sides_y, sides_z;
};

/* A row: its shape, how many rows after it are stepped with it (along y they differ in their outer sides), and how many
 * rows from it on have no odd points. */
struct corner_row {
    uint32_t shape;
    uint16_t alike, even;
};

/* A point in no vector. */
struct odd_point {
    uint32_t x : 24;
    uint32_t pattern : 8;
};

/* How an odd point of a pattern is stepped: offsets of its neighbours in a grid. Mirrored: those of the lower and the
 * upper neighbour along x, y and z, across a missing side the other one. Else all neighbours in canonical order, each
 * with the voxels that hold both points; entries beyond the last are 0. */
struct odd_corner {
    ptrdiff_t offset[CORNER_NEIGHBOURS]; /* values */
    float links[CORNER_NEIGHBOURS];
    double g; /* 2 W over the voxels at the point */
};

struct corner_columns {
    size_t lanes, vectors;       /* of a vector, of a row */
    struct corner_lanes *shapes; /* [shape_count][vectors]: different rows */
    size_t shape_count;
    struct corner_row *rows;    /* [rows] */
    struct odd_point *odd;      /* of each row the mirrored ones, then the others */
    uint64_t *odd_start;        /* [2 rows + 1]: of each row where both begin */
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
