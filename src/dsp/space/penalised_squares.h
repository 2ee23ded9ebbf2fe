/* SPDX-License-Identifier: MIT */
/* Linear least squares with a penalty, for several right-hand sides at once: min |A x - b|² + η² |x|². By Householder
 * reflections of [η I; A | 0; b], without the normal equations, whose condition is the square of that of A; column j
 * touches row j of the upper block and all rows of A alone. */
#ifndef AULA_DSP_SPACE_PENALISED_SQUARES_H
#define AULA_DSP_SPACE_PENALISED_SQUARES_H

#include <stddef.h>

#include "base/error.h"

/* columns [count + sides][rows]: the columns of A and then each b, overwritten; rows is a multiple of 4, the rest of
 * the last rows zero. x [sides][count]. ERROR_MEMORY. */
int penalised_squares(double *x, size_t count, size_t sides, double *columns, size_t rows, double penalty,
                      struct error *e);

/* [η I; A] = Q R, for problems that take some columns of A each and leave out the others. */
struct penalised_factors {
    size_t count, rows;
    double penalty;   /* η */
    double *columns;  /* [count][rows]: the reflections whose product is Q */
    double *triangle; /* [count][count]: R */
};

/* Of columns [count][rows] as above, which are overwritten and must outlive *f. ERROR_MEMORY. */
int penalised_factors_make(struct penalised_factors *f, size_t count, double *columns, size_t rows, double penalty,
                           struct error *e);
void penalised_factors_free(struct penalised_factors *f);

/* The rows of R of Qᵀ [0; b], `stride` apart. b [rows] is overwritten. */
void penalised_factors_turn(double *turned, size_t stride, const struct penalised_factors *f, double *b);

/* min |A x - b|² of columns that are zero below row last[k] of theirs, last[k] >= k; columns [count + sides][rows]: those
 * of A and then each b, overwritten. x [sides][count]. By reflections that are the shorter, the nearer last[k] is to
 * k. */
void staircase_solve(double *x, size_t count, size_t sides, double *columns, size_t rows, const size_t *last);

/* x [chosen]: the solution in the columns column[chosen] of A alone, which ascend: of Qᵀ [0; b] only the rows of R
 * count, and the chosen columns of R make a staircase. b [rows] is overwritten. ERROR_MEMORY. */
int penalised_factors_solve(double *x, const struct penalised_factors *f, const size_t *column, size_t chosen,
                            double *b, struct error *e);

#endif
