/* SPDX-License-Identifier: MIT */
/* The voxel map in the form that CUDA kernels use. Most of a room is one box of air. For a
 * *regular* point, the links and the wall weight follow from the faces of the box that it touches:
 * its *state* (bits: touches the missing x_min x_max y_min y_max z_min z_max face) indexes a table
 * of 64 entries, and no map is read. Other points, at objects and fixed cells, are *irregular*:
 * their tiles read two bytes per point, a *code* that indexes a table of kinds.
 *
 * 19-point: a regular point at missing faces mirrors its neighbours there. A missing face coincides
 * with an end of the grid, and the grid has at least two points along each axis. */
#ifndef AULA_CUDA_LAYOUT_H
#define AULA_CUDA_LAYOUT_H

#include "solver/schemes/leapfrog/rows.h"

enum { STATES = 64, CODES = 65536, SEGMENT = 32 /* SEGMENT: points of a row, the unit of `irregular` */ };

typedef uint16_t point_code;

struct point_kind {
    uint8_t links; /* K; 19-point: the pattern of the voxels at the point (rows.h) */
    bool updated;  /* false: solid or fixed (p = 0) */
    double weight; /* a/(1 + a) of real walls */
};

struct layout {
    size_t points[3];
    size_t pitch;          /* distance between rows in values: whole 128-byte lines */
    size_t from[3], to[3]; /* the box of air: from .. to - 1 */
    unsigned missing;      /* bit f: a wall lies beyond face f of the box; otherwise a fixed layer (p = 0) */
    struct point_kind states[STATES];
    struct point_kind *codes; /* [CODES], code 0: not updated */
    size_t code_count;
    uint32_t *code_of;   /* hash table: kind to code */
    uint64_t *irregular; /* row * segments + x / SEGMENT of every segment with irregular points, ascending */
    size_t irregular_count;
    size_t irregular_points; /* number of irregular points that are air, or next to air along x */
    size_t segments;         /* per row */
};

/* Fails with ERROR_ENGINE when the map has more than 65,535 kinds of points. */
int layout_make(struct layout *l, const struct rows *rows, const struct problem *p, struct error *e);
void layout_free(struct layout *l);

/* Lists the codes of the runs and walls of rows row0 .. row1 - 1. A point has the code of its
 * wall, else of its run, else 0. */
void layout_list_codes(const struct layout *l, const struct rows *rows, const struct problem *p, size_t row0,
                       size_t row1, point_code *of_runs, point_code *of_walls);

/* Wall weight at a canonical point; 0 for most points, and at walls with branches. */
double layout_weight(const struct rows *rows, const struct problem *p, uint64_t point);

#endif
