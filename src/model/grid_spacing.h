/* SPDX-License-Identifier: MIT */
/* The spacing at which a box is as nearly as possible a whole number of cells along each axis. */
#ifndef AULA_MODEL_GRID_SPACING_H
#define AULA_MODEL_GRID_SPACING_H

#include <stddef.h>

struct grid_fit {
    double spacing; /* m */
    int axis;       /* along which the size is met exactly */
    double cells;   /* along that axis, a whole number */
};

/* For a box of size[3], m, and cells of at most `spacing`, m. Of the spacings at which one axis is a whole number of
 * cells, those less than GRID_FINER below `spacing` are candidates, or the largest where there are none: the one with
 * the smallest rounding of the other axes, m. Of equals the larger spacing, then the first axis. */
#define GRID_FINER 0.01
struct grid_fit grid_fit_spacing(const double size[3], double spacing);

#endif
