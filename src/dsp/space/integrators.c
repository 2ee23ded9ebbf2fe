/* SPDX-License-Identifier: MIT */
#include "dsp/space/integrators.h"

#include <complex.h>
#include <math.h>
#include <string.h>

void bessel_polynomial(double value[2], int n, double x)
{
    static const double coefficients[5][5] = {
        {1.0}, {1.0, 1.0}, {3.0, 3.0, 1.0}, {15.0, 15.0, 6.0, 1.0}, {105.0, 105.0, 45.0, 10.0, 1.0}};
    double complex sum = coefficients[n][n];
    for (int j = n - 1; j >= 0; j--)
        sum = sum * (I * x) + coefficients[n][j];
    value[0] = creal(sum);
    value[1] = cimag(sum);
}

/* f_n of the plane-wave form, rad/s. */
static double corner(const struct integrator *i, int n)
{
    return n * i->sound_speed / i->distance;
}

void integrator_response(double value[2], const struct integrator *i, int n, double omega)
{
    value[0] = 1.0;
    value[1] = 0.0;
    if (!n)
        return;
    double complex response = 0.0;
    if (i->form == INTEGRATOR_NEAR_FIELD) {
        double theta[2];
        bessel_polynomial(theta, n, omega * i->distance / i->sound_speed);
        response = pow(i->distance, n) / (theta[0] + I * theta[1]);
    } else if (omega != 0.0) {
        response = cpow(i->sound_speed / (I * omega), n) / (1.0 + pow(corner(i, n) / omega, 8.0));
    }
    value[0] = creal(response);
    value[1] = cimag(response);
}

double integrator_low(const struct integrator *i, int n)
{
    if (!n)
        return 0.0;
    if (i->form == INTEGRATOR_PLANE)
        return 2.0 * corner(i, n) / (2.0 * M_PI);
    /* θ_n(x)/x^n = 1 + n(n + 1)/(2x) + .. */
    const double turn = 0.5 * n * (n + 1) * i->sound_speed / i->distance;
    return turn / tan(5.0 * M_PI / 180.0) / (2.0 * M_PI);
}

double integrator_ringing(const struct integrator *i, int n)
{
    /* real parts of the slowest poles: of the Butterworth polynomial of order 4 and of the Bessel polynomials */
    static const double bessel[] = {1.0, 1.0, 1.5, 1.8389, 2.1038};
    if (!n)
        return 0.0;
    const double decay =
        i->form == INTEGRATOR_PLANE ? corner(i, n) * sin(M_PI / 8.0) : bessel[n] * i->sound_speed / i->distance;
    return log(1e5) / decay;
}

/* Factors x² + p x + q, or x + q where p is 0, of θ_n. */
struct bessel_factor {
    double p, q;
};

static const struct bessel_factor factors[5][2] = {
    {{0.0, 0.0}},
    {{0.0, 1.0}},
    {{3.0, 3.0}},
    {{0.0, 2.32218535462608559}, {3.67781464537391441, 6.45943269348336535}},
    {{5.79242120564074434, 9.14013089027793103}, {4.20757879435925566, 11.4878004768711998}},
};

void near_field_filter_make(struct near_field_filter *f, const struct integrator *i, int n, double rate)
{
    const double a = 2.0 * rate * i->distance / i->sound_speed; /* x = a (z - 1)/(z + 1) */
    memset(f, 0, sizeof *f);
    f->sections = (n + 1) / 2;
    for (int k = 0; k < f->sections; k++) {
        const double p = factors[n][k].p, q = factors[n][k].q, r = i->distance;
        double *b = f->b[k], *den = f->a[k];
        if (p == 0.0) {
            b[0] = b[1] = r / (a + q);
            den[1] = (q - a) / (a + q);
        } else {
            const double whole = a * a + p * a + q;
            b[0] = b[2] = r * r / whole;
            b[1] = 2.0 * b[0];
            den[1] = 2.0 * (q - a * a) / whole;
            den[2] = (a * a - p * a + q) / whole;
        }
        den[0] = 1.0;
    }
}

void near_field_filter_run(struct near_field_filter *f, double *samples, size_t count)
{
    for (int k = 0; k < f->sections; k++) {
        const double *b = f->b[k], *a = f->a[k];
        double *state = f->state[k];
        for (size_t n = 0; n < count; n++) {
            const double x = samples[n], y = b[0] * x + state[0];
            state[0] = b[1] * x - a[1] * y + state[1];
            state[1] = b[2] * x - a[2] * y;
            samples[n] = y;
        }
    }
}
