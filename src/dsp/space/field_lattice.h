/* SPDX-License-Identifier: MIT */
/* The least-squares problem of field_stencil_fit for all points around a cell, factored once for all positions in it.
 *
 * Waves are referred to their phase at the centre of the cell, so that all positions share one matrix and differ only in
 * the points they use and in the right-hand side. Each point has an opposite one across the centre, with equal cosines and
 * opposite sines. In sums and differences of opposite points, over √2, the matrix splits into an even half of cosines and
 * an odd half of sines, which are factored separately. */
#ifndef AULA_DSP_SPACE_FIELD_LATTICE_H
#define AULA_DSP_SPACE_FIELD_LATTICE_H

#include "dsp/space/field_stencil.h"
#include "dsp/space/penalised_squares.h"

enum { FIELD_FREQUENCIES = 12 };

struct field_lattice {
    struct field_lattice *next;
    struct grid_waves grid;
    double radius;                                     /* cells */
    int directions;                                    /* at the lowest frequency */
    size_t begin[FIELD_FREQUENCIES + 1];               /* waves of a frequency: begin[f] .. begin[f + 1] - 1 */
    size_t waves;                                      /* begin[FIELD_FREQUENCIES]: a multiple of 4 */
    double operator_at[FIELD_FREQUENCIES];             /* |s X/c| */
    double mean[FIELD_FREQUENCIES];                    /* square root of the weight of each wave */
    double (*wavenumber)[3];                           /* [waves]: κ d, per cell */
    double (*harmonic)[FIELD_CHANNELS_MAX];            /* [waves] */
    size_t pairs;                                      /* of opposite points, nearest to the centre first */
    int (*point)[3];                                   /* [pairs]: the first of each, from the corner of the cell */
    size_t column[FIELD_SIDE][FIELD_SIDE][FIELD_SIDE]; /* z, y, x from FIELD_LOWEST: 2 pair, + 1 for the second */
    struct penalised_factors factors[FIELD_ORDER_MAX + 1][2]; /* even and odd half; initially without a triangle */
};

/* That of the stencil's radius and order, without factors where it is new. NULL: memory is out. */
struct field_lattice *field_lattice_of(struct field_lattice **all, const struct field_stencil *s,
                                       const struct grid_waves *waves, struct error *e);

/* Makes the factors of an order, where they are not yet. ERROR_MEMORY, ERROR_STOPPED. */
int field_lattice_factor(struct field_lattice *l, int n, struct error *e);

/* The right-hand sides of the 2 n + 1 harmonics of order n at a position, as the rows of the factors have them:
 * turned[2 n + 1][2 pairs], rows of the even half at even places. ERROR_MEMORY. */
int field_lattice_turn(double *turned, const struct field_lattice *l, const double fraction[3], int n, struct error *e);

static inline size_t field_lattice_column(const struct field_lattice *l, const int point[3])
{
    return l->column[point[2] - FIELD_LOWEST][point[1] - FIELD_LOWEST][point[0] - FIELD_LOWEST];
}

#endif
