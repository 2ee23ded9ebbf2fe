/* SPDX-License-Identifier: MIT */
#include "render/synth/plate_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* I_n by its power series, for arguments below lambda_max. */
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

static double bessel_slope(int n, double x)
{
    return n ? 0.5 * (jn(n - 1, x) - jn(n + 1, x)) : -j1(x);
}

static double modified_slope(int n, double x)
{
    return n ? 0.5 * (modified_bessel(n - 1, x) + modified_bessel(n + 1, x)) : modified_bessel(1, x);
}

/* Zero where λ² = ωR² (ρH/D)^1/2 is a mode with n diameters of a free disc: no moment and no shear at the rim. */
static double free_disc(int n, double lambda, double poisson)
{
    const double square = lambda * lambda, cube = square * lambda, n2 = n * n, turn = 1.0 - poisson;
    const double j = jn(n, lambda), dj = bessel_slope(n, lambda);
    const double i = modified_bessel(n, lambda), di = modified_slope(n, lambda);
    const double moment_j = square * j + turn * (lambda * dj - n2 * j);
    const double moment_i = square * i - turn * (lambda * di - n2 * i);
    const double shear_j = cube * dj + turn * n2 * (lambda * dj - j);
    const double shear_i = cube * di - turn * n2 * (lambda * di - i);
    return moment_j * shear_i - shear_j * moment_i;
}

/* Zero at the modes of a clamped disc: no displacement and no slope at the rim. */
static double clamped_disc(int n, double lambda, double poisson)
{
    (void)poisson;
    return jn(n, lambda) * modified_slope(n, lambda) - modified_bessel(n, lambda) * bessel_slope(n, lambda);
}

typedef double rim_condition(int n, double lambda, double poisson);

static double root(rim_condition *f, int n, double poisson, double low, double high)
{
    const double sign = f(n, low, poisson);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if ((f(n, middle, poisson) > 0.0) == (sign > 0.0))
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* Inserts a frequency into the sorted list of a parity; beyond its end it is dropped. */
static void insert(double *sorted, double frequency)
{
    if (frequency >= sorted[PARITY_MODES - 1])
        return;
    size_t at = PARITY_MODES - 1;
    for (; at > 0 && sorted[at - 1] > frequency; at--)
        sorted[at] = sorted[at - 1];
    sorted[at] = frequency;
}

/* n diameters: cos nθ and, for n > 0, sin nθ. */
static void find_disc_modes(struct plate_modes *m, const struct surface_plan *p, double kappa)
{
    enum { DIAMETERS = 14 };
    static const double step = 0.05, lambda_min = 1.0, lambda_max = 14.0; /* covers PARITY_MODES roots of each parity */
    rim_condition *f = p->edge == SURFACE_CLAMPED ? clamped_disc : free_disc;
    for (int n = 0; n < DIAMETERS; n++)
        for (double low = lambda_min; low < lambda_max; low += step) {
            if ((f(n, low, p->poisson) > 0.0) == (f(n, low + step, p->poisson) > 0.0))
                continue;
            const double lambda = root(f, n, p->poisson, low, low + step);
            const double frequency = lambda * lambda * kappa / (p->half[0] * p->half[0]);
            insert(m->frequency[n % 2 ? ODD_ALONG : 0], frequency);
            if (n > 0)
                insert(m->frequency[n % 2 ? ODD_ACROSS : ODD_ALONG | ODD_ACROSS], frequency);
        }
}

/* κπ²(i²/a² + j²/b²); an even number of half waves is odd about the middle. */
static void find_supported_modes(struct plate_modes *m, const struct surface_plan *p, double kappa)
{
    for (int i = 1; i <= 2 * PARITY_MODES; i++)
        for (int j = 1; j <= 2 * PARITY_MODES; j++) {
            const double along = 0.5 * M_PI * i / p->half[0], across = 0.5 * M_PI * j / p->half[1];
            insert(m->frequency[(i % 2 ? 0 : ODD_ALONG) | (j % 2 ? 0 : ODD_ACROSS)],
                   kappa * (along * along + across * across));
        }
}

int plate_modes_find(struct plate_modes *m, const struct surface_plan *p, struct error *e)
{
    const double kappa = sqrt(p->bending / p->density);
    for (int parity = 0; parity < PARITIES; parity++)
        for (int i = 0; i < PARITY_MODES; i++)
            m->frequency[parity][i] = INFINITY;
    if (p->outline == SURFACE_CIRCLE)
        find_disc_modes(m, p, kappa);
    else if (p->edge == SURFACE_SUPPORTED)
        find_supported_modes(m, p, kappa);
    for (int parity = 0; parity < PARITIES && p->outline == SURFACE_RECTANGLE && p->edge != SURFACE_SUPPORTED;
         parity++) {
        if (plate_ritz(m->frequency[parity], PARITY_MODES, parity, p, e))
            return -1;
        for (int i = 0; i < PARITY_MODES; i++)
            m->frequency[parity][i] *= kappa / (p->half[0] * p->half[0]);
    }
    return 0;
}
