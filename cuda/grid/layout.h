/* SPDX-License-Identifier: MIT */
/* The voxel map as the CUDA kernels see it. Most of a room is one box of air. A *regular* point has the links
 * and wall weight that follow from which faces of the box it touches: a *state* (bits: touches the missing
 * x_min x_max y_min y_max z_min z_max face) indexes a table of 64, and no map is read. Other points, at
 * objects and fixed cells, are *irregular*: their tiles read two bytes a point, a *code* that indexes a
 * table of kinds.
 *
 * 19-point: a regular point at missing faces mirrors its neighbours there. A missing face begins or ends the grid, and
 * the grid has at least two points along each axis. */
#ifndef AULA_CUDA_LAYOUT_H
#define AULA_CUDA_LAYOUT_H

#include "solver/schemes/leapfrog/rows.h"

enum { STATES = 64, CODES = 65536, SEGMENT = 32 /* points of a row, the unit of `irregular` */ };

typedef uint16_t point_code;

struct point_kind {
    uint8_t links; /* K; 19-point: the pattern of the voxels at the point (rows.h) */
    bool updated;  /* false: solid or fixed (p = 0) */
    double weight; /* a/(1 + a) of real walls */
};

struct layout {
    size_t points[3];
    size_t pitch;          /* values from a row to the next: whole 128-byte lines */
    size_t from[3], to[3]; /* the box of air */
    unsigned missing;      /* bit f: beyond face f of the box is a wall, else a fixed layer (p = 0) */
    struct point_kind states[STATES];
    struct point_kind *codes; /* [CODES], code 0: not updated */
    size_t code_count;
    uint32_t *code_of;   /* hash table: kind to code */
    uint64_t *irregular; /* row * segments + x / SEGMENT of every segment with irregular points, ascending */
    size_t irregular_count;
    size_t irregular_points; /* irregular points that are air or have air beside them along x */
    size_t segments;         /* of a row */
};

/* Fails with ERROR_ENGINE when the map has more than 65,535 kinds of points. */
int layout_make(struct layout *l, const struct rows *rows, const struct problem *p, struct error *e);
void layout_free(struct layout *l);

/* Codes of the runs and of the walls of rows row0 .. row1 - 1. A point has the code of its wall, else of its run, else
 * 0. */
void layout_list_codes(const struct layout *l, const struct rows *rows, const struct problem *p, size_t row0,
                       size_t row1, point_code *of_runs, point_code *of_walls);

/* Wall weight at a canonical point (0 for most, and at walls with branches). */
double layout_weight(const struct rows *rows, const struct problem *p, uint64_t point);

#endif
