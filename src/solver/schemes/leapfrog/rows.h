/* SPDX-License-Identifier: MIT */
/* A voxel map in the form that engines step: rows along x divided into runs of points with the
 * same links, and lists of the points at absorbing faces, of real admittance here, with branches
 * in branches.h. A run takes 8 bytes. A row of a box has three runs, and its interior is one
 * long run that vectorizes without a mask. */
#ifndef AULA_SOLVER_SCHEMES_LEAPFROG_ROWS_H
#define AULA_SOLVER_SCHEMES_LEAPFROG_ROWS_H

#include <stdint.h>

#include "solver/schemes/leapfrog/branches.h"

enum { ROW_POINTS_MAX = (1 << 24) - 1, LINKS_ALL = 63, PATTERN_ALL = 255 };

/* Rows begin on a cache line, so that vector loads and stores are aligned. Padding points are
 * never air and stay zero. */
enum { ROW_ALIGNMENT = 64 };

/* `length` air points from x = start.
 *
 * 7-point: bit f of links means that the neighbour across face f (x_min x_max y_min y_max z_min
 * z_max) is air or fixed, so that it enters the sum S and counts in K. 19-point: links is the
 * pattern of the eight voxels that meet at the point: bit dx + 2 dy + 4 dz means that the voxel on
 * its lower (0) or upper (1) side along each axis is air. */
struct run {
    uint32_t start;
    uint32_t length : 24;
    uint32_t links : 8;
};

/* A row is y + ny z. */
struct rows {
    enum air_stencil stencil;
    size_t nx, ny, nz, count; /* count = ny nz rows */
    size_t stride;            /* distance between rows, in values */
    struct run *runs;
    uint64_t *run_start; /* [count + 1]: run_start[row] is the row's first run */
    uint32_t *wall_x;    /* x of the points with Σ Y > 0 and no branches, row by row */
    void *wall_weight;   /* a/(1 + a), a = λ Σ Y / 2, in the precision of the field */
    uint8_t
        *wall_mass; /* mass of the same points, in MASS_UNITS; NULL with the 7-point stencil, where all are 1 voxel */
    uint64_t *wall_start; /* [count + 1] */
    struct branches branches;
    uint64_t air_points;
    uint32_t wall_max; /* largest number of these wall points in a plane */
    bool borrowed;     /* kept_rows owns the lists */
};

/* Rows shared by several problems of one room with the same voxels; the first problem that needs
 * them makes them. */
struct kept_rows {
    const struct voxel_set *voxels;
    struct rows rows;
    bool made;
    enum precision precision; /* made for these, besides the walls */
    double courant_squared;
};
void kept_rows_free(struct kept_rows *k); /* must follow the last use of borrowed rows; NULL-safe */

/* nx rounded up to whole cache lines of values. */
size_t rows_stride(size_t nx, enum precision precision);

/* Index in a grid with rows of `stride` values of a point given by its canonical index. */
static inline size_t rows_at(const struct rows *r, uint64_t point)
{
    return point / r->nx * r->stride + point % r->nx;
}

/* Mass of a point in voxels of air, by canonical index; 0: the point is not air. */
double rows_mass(const struct rows *r, uint64_t point);

/* Numbers of air points, and of points at absorbing walls, in the planes that count (`counted`
 * of a problem). */
void rows_count(const struct rows *r, const size_t counted[2], uint64_t *air, uint64_t *walls);

/* Scans the voxels, or borrows the rows that the problem keeps. Must be freed in any case. */
int rows_make(struct rows *r, const struct problem *p, struct error *e);
/* Scans the planes in `shares` shares, with all threads; the rows do not depend on the number of
 * shares. */
int rows_make_in_shares(struct rows *r, const struct problem *p, int shares, struct error *e);
uint64_t rows_bytes(const struct rows *r, enum precision precision); /* bytes of the lists and the states of branches */
void rows_free(struct rows *r);

#endif
