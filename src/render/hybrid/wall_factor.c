/* SPDX-License-Identifier: MIT */
#include "render/hybrid/wall_factor.h"

#include "base/complex_numbers.h"
#include "render/hybrid/faddeeva.h"

double complex wall_factor(double complex admittance, double cosine, double complex kr)
{
    double complex slope;
    return wall_factor_slope(&slope, admittance, cosine, csqrt(-0.5 * I * kr));
}

/* With z = -w: F' = dF/dz = (F - 1)/z - 2zF, dz/d cos θ = -root, dR/d cos θ = (1 - R)/(cos θ + Y). */
double complex wall_factor_slope(double complex *slope, double complex admittance, double cosine, double complex root)
{
    *slope = 0.0;
    if (admittance == 0.0)
        return 1.0;
    const double complex sum = cosine + admittance, inverse = complex_reciprocal(sum), z = -complex_product(root, sum);
    const double complex rest = 2.0 * complex_product(admittance, inverse); /* 1 - R */
    const double complex f = faddeeva_remainder(z);
    const double complex steep = complex_product(f - 1.0, complex_reciprocal(z)) - 2.0 * complex_product(z, f);
    *slope = complex_product(rest, complex_product(inverse, 1.0 - f) - complex_product(steep, root));
    return 1.0 - rest + complex_product(rest, f);
}
