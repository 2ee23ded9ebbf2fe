/* SPDX-License-Identifier: MIT */
#include "render/hybrid/wall_factor.h"

#include <math.h>
#include <stdbool.h>

#include "base/complex_numbers.h"

/* In the upper half plane w(z) = (2jz/π) ∫_0^∞ e^{-t²}/(z² - t²) dt. The trapezoidal or midpoint
 * rule of step H converges as e^{-π²/H²} once the residue of the pole at t = z is added (Al Azah,
 * Chandler-Wilde 2021, "Computation of the complex error function using modified trapezoidal
 * rules", SIAM J. Numer. Anal. 59, 2346-2367). The rule whose nodes are farther from z is used.
 * With NODES = 11 the error is near 1e-15. */
enum { NODES = 11 };
#define STEP 0.51166335397324424 /* √(π/(NODES + 1)) */

/* Beyond, Laplace's continued fraction converges in this many terms. */
#define FAR_SQUARED 64.0
static int terms_at(double square)
{
    return square < 256.0 ? 14 : square < 4096.0 ? 7 : 4;
}

/* e^{-t²} at the nodes of each rule, t = k H and (k + ½) H. */
static const double whole_node[NODES + 1] = {1.0,
                                             7.696654124932398076e-1,
                                             3.509198071784109676e-1,
                                             9.478022484215485279e-2,
                                             1.516461986454656995e-2,
                                             1.437306080407531768e-3,
                                             8.069951757030459924e-5,
                                             2.684086793096743346e-6,
                                             5.288422116944157332e-8,
                                             6.172478865224309567e-10,
                                             4.267731135455224686e-12,
                                             1.747987940565501288e-14};
static const double half_node[NODES + 1] = {
    9.366460212365959063e-1, 5.548549101598534088e-1,  1.947095780852902987e-1,  4.047614460380574236e-2,
    4.984423132468586502e-3, 3.636089863893044697e-4,  1.571296901780047981e-5,  4.022405421564813854e-7,
    6.099824915912159607e-9, 5.479650239757527089e-11, 2.916031755179499393e-13, 9.192541525134372742e-16};

/* Σ e^{-t²}/(z² - t²) over nodes of a rule, from `first` on. */
static double complex node_sum(double complex square, const double *weight, int first, double offset)
{
    double re = 0.0, im = 0.0;
    for (int k = first; k <= NODES; k++) {
        const double t = STEP * (k + offset);
        const double complex term = complex_reciprocal(complex_of(creal(square) - t * t, cimag(square)));
        re += weight[k] * creal(term);
        im += weight[k] * cimag(term);
    }
    return complex_of(re, im);
}

/* First quadrant. */
static double complex near(double complex z)
{
    const double complex square = complex_product(z, z);
    const double place = creal(z) / STEP, fraction = place - floor(place);
    const bool whole = fraction >= 0.25 && fraction <= 0.75;
    double complex sum = node_sum(square, whole ? whole_node : half_node, whole ? 1 : 0, whole ? 0.0 : 0.5);
    sum = complex_product(complex_of(0.0, 2.0 * STEP / M_PI), complex_product(z, sum));
    if (whole)
        sum += complex_product(complex_of(0.0, STEP / M_PI), complex_reciprocal(z));
    if (cimag(z) < M_PI / STEP) {
        const double complex pole = cexp(complex_product(complex_of(0.0, -2.0 * M_PI / STEP), z));
        sum += complex_product(2.0 * cexp(-square), complex_reciprocal(whole ? 1.0 - pole : 1.0 + pole));
    }
    return sum;
}

/* a of w(z) = (j/√π)/(z - a), a = (1/2)/(z - 1/(z - (3/2)/(z - ..))) (Abramowitz, Stegun 7.1.15). */
static double complex fraction_of(double complex z)
{
    double complex a = 0.0;
    for (int n = terms_at(creal(z) * creal(z) + cimag(z) * cimag(z)); n > 0; n--)
        a = 0.5 * n * complex_reciprocal(z - a);
    return a;
}

static bool is_far(double complex z)
{
    return !(creal(z) * creal(z) + cimag(z) * cimag(z) < FAR_SQUARED);
}

double complex faddeeva(double complex z)
{
    static const double root = 0.56418958354775628695; /* 1/√π */
    if (cimag(z) < 0.0)
        return 2.0 * cexp(-complex_product(z, z)) - faddeeva(-z);
    if (is_far(z))
        return complex_product(complex_of(0.0, root), complex_reciprocal(z - fraction_of(z)));
    return creal(z) < 0.0 ? conj(near(-conj(z))) : near(z); /* w(-z*) = w(z)* */
}

double complex faddeeva_remainder(double complex z)
{
    static const double root = 1.77245385090551602730; /* √π */
    if (cimag(z) >= 0.0 && is_far(z)) {
        const double complex a = fraction_of(z);
        return -complex_product(a, complex_reciprocal(z - a));
    }
    return 1.0 + complex_product(complex_of(0.0, root), complex_product(z, faddeeva(z)));
}

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
