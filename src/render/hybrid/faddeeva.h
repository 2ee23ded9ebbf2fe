/* SPDX-License-Identifier: MIT */
/* Faddeeva's function w(z) = e^{-z²} erfc(-jz). */
#ifndef AULA_RENDER_HYBRID_FADDEEVA_H
#define AULA_RENDER_HYBRID_FADDEEVA_H

#include <complex.h>

/* Relative error below 1e-13 for Im z >= 0; below, of w(z) = 2 e^{-z²} - w(-z), where the two terms do not cancel. */
double complex faddeeva(double complex z);

/* F = 1 + j√π z w(z), which falls as -1/(2z²): without cancellation for large |z|. */
double complex faddeeva_remainder(double complex z);

#endif
