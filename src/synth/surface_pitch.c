/* The lowest modes that closed forms know. */
#include <math.h>

#include "room/instrument.h"
#include "synth/surface.h"

/* J_n and I_n and their derivatives. I_n by its series: the arguments are below 10. */
static double modified_bessel(int n, double x)
{
    double term = 1.0, sum = 0.0;
    for (int i = 1; i <= n; i++)
        term *= 0.5 * x / i;
    for (int k = 0; k < 60; k++) {
        sum += term;
        term *= 0.25 * x * x / ((k + 1.0) * (k + 1.0 + n));
    }
    return sum;
}

/* Zero where λ²= ωR² sqrt(ρH/D) belongs to the lowest bending mode (two diameters) of a free disc: A. W. Leissa,
 * Vibration of Plates, NASA SP-160, 1969, equation (2.13). */
static double free_disc(double lambda, double poisson)
{
    const int n = 2;
    const double square = lambda * lambda, cube = square * lambda, n2 = n * n, turn = 1.0 - poisson;
    const double j = jn(n, lambda), dj = 0.5 * (jn(n - 1, lambda) - jn(n + 1, lambda));
    const double i = modified_bessel(n, lambda),
                 di = 0.5 * (modified_bessel(n - 1, lambda) + modified_bessel(n + 1, lambda));
    const double moment_j = square * j + turn * (lambda * dj - n2 * j);
    const double moment_i = square * i - turn * (lambda * di - n2 * i);
    const double shear_j = cube * dj + turn * n2 * (lambda * dj - j);
    const double shear_i = cube * di - turn * n2 * (lambda * di - i);
    return moment_j * shear_i - shear_j * moment_i;
}

/* J0 I1 + I0 J1 = 0: the lowest mode of a clamped disc. */
static double clamped_disc(double lambda, double poisson)
{
    (void)poisson;
    return jn(0, lambda) * modified_bessel(1, lambda) + modified_bessel(0, lambda) * jn(1, lambda);
}

static double root(double (*f)(double, double), double poisson, double low, double high)
{
    const double sign = f(low, poisson);
    for (int n = 0; n < 60; n++) {
        const double middle = 0.5 * (low + high);
        if ((f(middle, poisson) > 0.0) == (sign > 0.0))
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

double surface_exact_pitch(const struct surface_plan *p)
{
    const double a = 2.0 * p->half[0], b = 2.0 * p->half[1], radius = p->half[0];
    const double inverse_square = 1.0 / (a * a) + 1.0 / (b * b);
    if (p->bending == 0.0)
        return (p->outline == SURFACE_CIRCLE ? J0_FIRST_ZERO / (2.0 * M_PI * radius) : 0.5 * sqrt(inverse_square)) *
               sqrt(p->tension / p->density);
    const double kappa = sqrt(p->bending / p->density);
    if (p->outline == SURFACE_RECTANGLE)
        return p->edge == SURFACE_SUPPORTED ? 0.5 * M_PI * kappa * inverse_square : 0.0;
    if (p->edge == SURFACE_SUPPORTED)
        return 0.0;
    const double lambda =
        p->edge == SURFACE_CLAMPED ? root(clamped_disc, p->poisson, 2.5, 4.0) : root(free_disc, p->poisson, 1.8, 2.7);
    return lambda * lambda * kappa / (2.0 * M_PI * radius * radius);
}
