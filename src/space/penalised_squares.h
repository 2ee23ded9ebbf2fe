/* SPDX-License-Identifier: MIT */
/* Linear least squares with a penalty, for several right-hand sides at once: min |A x - b|² + η² |x|². */
#ifndef AULA_SPACE_PENALISED_SQUARES_H
#define AULA_SPACE_PENALISED_SQUARES_H

#include <stddef.h>

#include "base/error.h"

/* By Householder reflections of [η I; A | 0; b], without the normal equations, whose condition is the square of that of
 * A; column j touches row j of the upper block and all rows of A alone. columns [count + sides][rows]: the columns of A
 * and then each b, overwritten; rows is a multiple of 4, the rest of the last rows zero. x [sides][count].
 * ERROR_MEMORY. */
int penalised_squares(double *x, size_t count, size_t sides, double *columns, size_t rows, double penalty,
                      struct error *e);

#endif
