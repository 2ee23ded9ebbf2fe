/* SPDX-License-Identifier: MIT */
#include "room/grid/absorption.h"
#include "base/acoustics/branch_admittance.h"

#include <math.h>
#include <stdbool.h>

double random_incidence_absorption(double admittance)
{
    double g = admittance;
    if (!(g > 0.0))
        return 0.0;
    return 8.0 * g * (1.0 + g / (1.0 + g) - 2.0 * g * log((1.0 + g) / g));
}

double admittance_of_absorption(double absorption)
{
    double low = 0.0, high = 0.638; /* absorption increases up to here */
    if (!(absorption > 0.0))
        return 0.0;
    if (absorption >= random_incidence_absorption(high))
        return high;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        if (random_incidence_absorption(middle) < absorption)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* For |z| -> 0 the bracket of the formula cancels to |z|²/3. There 8r ∫ c²/(1 + 2rc + |z|²c²) dc over c = cos θ is
 * expanded in |z|: the integrand generates the Chebyshev polynomials of the second kind, U_n(-cos m) (|z|c)^n. */
static double absorption_of_small_impedance(double resistance, double magnitude)
{
    double cosine = resistance / magnitude, before = 0.0, polynomial = 1.0, power = 1.0, sum = 0.0;
    for (int n = 0; n < 20; n++) {
        sum += polynomial * power / (n + 3);
        double next = -2.0 * cosine * polynomial - before;
        before = polynomial;
        polynomial = next;
        power *= magnitude;
    }
    return 8.0 * resistance * sum;
}

double complex_incidence_absorption(double complex admittance, double slope[2])
{
    double g = creal(admittance), b = cimag(admittance), magnitude = cabs(admittance), square = magnitude * magnitude;
    double absorption;
    if (slope)
        slope[0] = slope[1] = 0.0;
    if (isnan(g) || isnan(b))
        return NAN;
    if (!(g > 0.0) || !isfinite(square))
        return 0.0;
    /* With cos m = g/|Y| and sin m = -b/|Y| all terms are even in b, and the quotient by sin m has a limit. */
    double argument = b / (square + g), next_square = (1.0 + g) * (1.0 + g) + b * b;
    bool real = fabs(argument) < 1e-7;
    double angle = real ? 1.0 / (square + g) : atan(argument) / b; /* -(arg(1 + 1/Y))/b */
    double logarithm = 0.5 * log(next_square) - log(magnitude);    /* ln|1 + 1/Y| */
    double bracket = 1.0 + (g * g - b * b) * angle - 2.0 * g * logarithm;
    absorption = magnitude > 10.0 ? absorption_of_small_impedance(g / square, 1.0 / magnitude) : 8.0 * g * bracket;
    if (slope) {
        slope[0] = 8.0 * (bracket - 2.0 * g * (logarithm - g * angle) + g / next_square);
        slope[1] = real ? 0.0 : -8.0 * g * (square * angle - (g + square) / next_square) / b;
    }
    return absorption;
}

double discrete_angular_frequency(double frequency, double rate)
{
    return rate > 0.0 ? 2.0 * rate * tan(M_PI * frequency / rate) : 2.0 * M_PI * frequency;
}

double complex branches_admittance(const struct branch *branches, size_t count, double angular_frequency)
{
    double real = 0.0, imaginary = 0.0;
    for (size_t m = 0; m < count; m += 1 + branches[m].tanks) {
        if (branches[m].tanks) {
            const double complex y = branch_admittance(branches + m, 1 + branches[m].tanks, I * angular_frequency);
            real += creal(y);
            imaginary += cimag(y);
            continue;
        }
        double reactance = angular_frequency * branches[m].inertance - branches[m].stiffness / angular_frequency;
        double square = branches[m].resistance * branches[m].resistance + reactance * reactance;
        real += branches[m].resistance / square;
        imaginary -= reactance / square;
    }
    return real + I * imaginary;
}

static double absorption_in_view(const struct admittance *y, const struct wall_view *view)
{
    const double complex seen = branches_admittance(y->branches, y->branch_count, view->angular_frequency);
    return complex_incidence_absorption((y->real + creal(seen)) / view->factor + I * (cimag(seen) / view->factor),
                                        NULL);
}

double octave_mean_absorption(const struct admittance *y, double centre, const struct wall_discretization *clock)
{
    enum { POINTS = 64 };
    double mean = 0.0;
    if (!wall_discretization_carries(clock, centre * M_SQRT2))
        return NAN;
    for (int i = 0; i < POINTS; i++) {
        const struct wall_view view = wall_discretization_view(clock, centre * exp2((i + 0.5) / POINTS - 0.5));
        mean += absorption_in_view(y, &view) / POINTS;
    }
    return mean;
}
