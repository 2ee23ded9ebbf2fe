/* SPDX-License-Identifier: MIT */
/* Complex arithmetic by its plain formulas. C's own product looks for infinities, and not every pair of a compiler and a
 * C library has CMPLX. */
#ifndef AULA_BASE_COMPLEX_NUMBERS_H
#define AULA_BASE_COMPLEX_NUMBERS_H

#include <complex.h>
#include <math.h>

/* re + i im, whatever the two are: re + I * im would lose signs of zeros, and make NaN of infinities. */
static inline double complex complex_of(double re, double im)
{
    const union {
        double part[2]; /* C11 6.2.5: a complex number has the layout of an array of two */
        double complex whole;
    } z = {{re, im}};
    return z.whole;
}

static inline double complex complex_product(double complex a, double complex b)
{
    return complex_of(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

static inline double complex complex_reciprocal(double complex z)
{
    const double re = creal(z), im = cimag(z), square = re * re + im * im;
    return complex_of(re / square, -im / square);
}

/* e^{i angle} */
static inline double complex complex_turn(double angle)
{
    return complex_of(cos(angle), sin(angle));
}

#endif
