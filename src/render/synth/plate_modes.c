/* SPDX-License-Identifier: MIT */
#include "render/synth/plate_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/synth/banded.h"
#include "render/synth/ritz_functions.h"

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

/* Moment at the rim of a free disc, by n diameters, for J_n(λr) and I_n(λr), r over the radius. */
static void rim_moments(double *of_j, double *of_i, int n, double lambda, double poisson)
{
    const double square = lambda * lambda, n2 = n * n, turn = 1.0 - poisson;
    const double j = jn(n, lambda), i = modified_bessel(n, lambda);
    *of_j = -square * j - turn * (lambda * bessel_slope(n, lambda) - n2 * j);
    *of_i = square * i - turn * (lambda * modified_slope(n, lambda) - n2 * i);
}

/* Zero where λ² = ωR² (ρH/D)^1/2 is a mode with n diameters of a free disc: no moment and no shear at the rim. */
static double free_disc(int n, double lambda, double poisson)
{
    const double cube = lambda * lambda * lambda, n2 = n * n, turn = 1.0 - poisson;
    const double j = jn(n, lambda), dj = bessel_slope(n, lambda);
    const double i = modified_bessel(n, lambda), di = modified_slope(n, lambda);
    double moment_j, moment_i;
    rim_moments(&moment_j, &moment_i, n, lambda, poisson);
    const double shear_j = cube * dj + turn * n2 * (lambda * dj - j);
    const double shear_i = cube * di - turn * n2 * (lambda * di - i);
    return -moment_j * shear_i - shear_j * moment_i;
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

void disc_mode_find(struct disc_mode *m, const struct surface_plan *p, int order)
{
    static const double step = 0.05;
    const bool clamped = p->edge == SURFACE_CLAMPED;
    rim_condition *f = clamped ? clamped_disc : free_disc;
    double low = 1.0, moment_j, moment_i;
    while ((f(order, low, p->poisson) > 0.0) == (f(order, low + step, p->poisson) > 0.0))
        low += step;
    m->order = order;
    m->lambda = root(f, order, p->poisson, low, low + step);
    rim_moments(&moment_j, &moment_i, order, m->lambda, p->poisson);
    m->share = clamped ? -jn(order, m->lambda) / modified_bessel(order, m->lambda) : -moment_j / moment_i;
}

double disc_mode_at(const struct disc_mode *m, double r)
{
    return jn(m->order, m->lambda * r) + m->share * modified_bessel(m->order, m->lambda * r);
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

/* Rectangles by the Ritz method: w = Σ q_ij f_i(x/a) f_j(y/b), f_i = (1 - x²)^c times the Gegenbauer polynomial for the
 * weight (1 - x²)^2c. c = 0 leaves an edge free, c = 2 clamps it. The f_i are orthonormal, so the mass is the identity.
 *     E/D = ∬ w_xx² + w_yy² + 2ν w_xx w_yy + 2 (1 - ν) w_xy² */

/* Functions per parity and axis; points of the Gauss rule, exact for their products. */
enum { TERMS = 10, POINTS = 28, DEGREES = 2 * TERMS };

/* Integrals over -1..1 of the functions of a parity: f_i'' f_j'', f_i' f_j', f_i'' f_j. */
struct products {
    double bend[TERMS][TERMS], tilt[TERMS][TERMS], mixed[TERMS][TERMS];
};

static void integrate(struct products *p, bool odd, int c)
{
    struct jet f[POINTS][DEGREES];
    double weight[POINTS], length[TERMS] = {0};
    *p = (struct products){0};
    for (int k = 0; k < POINTS; k++) {
        double x;
        gauss_point(&x, &weight[k], POINTS, k);
        ritz_functions(f[k], DEGREES, x, c);
    }
    for (int i = 0; i < TERMS; i++)
        for (int k = 0; k < POINTS; k++)
            length[i] += weight[k] * f[k][2 * i + odd].value * f[k][2 * i + odd].value;
    for (int i = 0; i < TERMS; i++)
        for (int j = 0; j < TERMS; j++)
            for (int k = 0; k < POINTS; k++) {
                const struct jet a = f[k][2 * i + odd], b = f[k][2 * j + odd];
                const double w = weight[k] / sqrt(length[i] * length[j]);
                p->bend[i][j] += w * a.curvature * b.curvature;
                p->tilt[i][j] += w * a.slope * b.slope;
                p->mixed[i][j] += w * a.curvature * b.value;
            }
}

/* Entry of the stiffness at row (i, j), column (k, l), in units of D/(ρH a⁴); ratio = a/b. */
static double entry(const struct products *x, const struct products *y, double ratio, double poisson, const int at[4])
{
    const int i = at[0], j = at[1], k = at[2], l = at[3];
    const double square = ratio * ratio;
    return (j == l ? x->bend[i][k] : 0.0) + (i == k ? square * square * y->bend[j][l] : 0.0) +
           square * (poisson * (x->mixed[i][k] * y->mixed[l][j] + x->mixed[k][i] * y->mixed[j][l]) +
                     2.0 * (1.0 - poisson) * x->tilt[i][k] * y->tilt[j][l]);
}

int plate_ritz(double *lambda_squared, size_t wanted, int parity, const struct surface_plan *p, struct error *e)
{
    enum { COUNT = TERMS * TERMS };
    const bool is_free = p->edge == SURFACE_FREE;
    const size_t rigid = is_free && parity != (ODD_ALONG | ODD_ACROSS) ? 1 : 0;
    const double ratio = p->half[0] / p->half[1];
    const double shift = is_free ? fmin(1.0, pow(ratio, 4.0)) : 0.0; /* the stiffness of a free plate is singular */
    struct products x, y;
    struct banded matrix;
    integrate(&x, parity & ODD_ALONG, is_free ? 0 : 2);
    integrate(&y, parity & ODD_ACROSS, is_free ? 0 : 2);
    double *memory = calloc((wanted + rigid) * (COUNT + 1), sizeof *memory), *vector = memory + wanted + rigid;
    int status = banded_make(&matrix, COUNT, COUNT - 1) || !memory ? fail(e, ERROR_MEMORY, "out of memory") : 0;
    for (int row = 0; row < COUNT && !status; row++)
        for (int column = 0; column <= row; column++)
            *banded_at(&matrix, (size_t)row, (size_t)column) =
                entry(&x, &y, ratio, p->poisson,
                      (const int[4]){row / TERMS, row % TERMS, column / TERMS, column % TERMS}) +
                (row == column ? shift : 0.0);
    if (!status) {
        banded_factor(&matrix);
        status = banded_lowest(memory, vector, wanted + rigid, false, &matrix, e);
    }
    for (size_t i = 0; i < wanted && !status; i++)
        lambda_squared[i] = sqrt(fmax(0.0, memory[i + rigid] - shift));
    free(memory);
    banded_free(&matrix);
    return status ? -1 : 0;
}
