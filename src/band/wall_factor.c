/* SPDX-License-Identifier: MIT */
#include "band/wall_factor.h"

#include "band/faddeeva.h"

double complex wall_factor(double complex admittance, double cosine, double complex kr)
{
    double complex slope;
    return wall_factor_slope(&slope, admittance, cosine, csqrt(-0.5 * I * kr));
}

static double complex product(double complex a, double complex b)
{
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

static double complex reciprocal(double complex z)
{
    const double square = creal(z) * creal(z) + cimag(z) * cimag(z);
    return CMPLX(creal(z) / square, -cimag(z) / square);
}

/* With z = -w: F' = dF/dz = (F - 1)/z - 2zF, dz/d cos θ = -root, dR/d cos θ = (1 - R)/(cos θ + Y). */
double complex wall_factor_slope(double complex *slope, double complex admittance, double cosine, double complex root)
{
    *slope = 0.0;
    if (admittance == 0.0)
        return 1.0;
    const double complex sum = cosine + admittance, inverse = reciprocal(sum), z = -product(root, sum);
    const double complex rest = 2.0 * product(admittance, inverse); /* 1 - R */
    const double complex f = faddeeva_remainder(z);
    const double complex steep = product(f - 1.0, reciprocal(z)) - 2.0 * product(z, f);
    *slope = product(rest, product(inverse, 1.0 - f) - product(steep, root));
    return 1.0 - rest + product(rest, f);
}
