/* SPDX-License-Identifier: MIT */
/* Rectangles by the Ritz method: w = Σ q_ij f_i(x/a) f_j(y/b), f_i = (1 - x²)^c times the Gegenbauer polynomial for the
 * weight (1 - x²)^2c. c = 0 leaves an edge free, c = 2 clamps it. The f_i are orthonormal, so the mass is the identity.
 *     E/D = ∬ w_xx² + w_yy² + 2ν w_xx w_yy + 2 (1 - ν) w_xy² */
#include <math.h>
#include <stdlib.h>

#include "render/synth/banded.h"
#include "render/synth/plate_modes.h"

/* Functions per parity and axis; points of the Gauss rule, exact for their products. */
enum { TERMS = 10, POINTS = 28, DEGREES = 2 * TERMS };

/* A function's value and first two derivatives. */
struct jet {
    double value, slope, curvature;
};

static struct jet times(struct jet a, struct jet b)
{
    return (struct jet){a.value * b.value, a.slope * b.value + a.value * b.slope,
                        a.curvature * b.value + 2.0 * a.slope * b.slope + a.value * b.curvature};
}

/* C_n^λ for n < DEGREES, n C_n = 2x (n + λ - 1) C_n-1 - (n + 2λ - 2) C_n-2, times the edge factor (1 - x²)^c. */
static void list_functions(struct jet f[DEGREES], double x, int c)
{
    const double lambda = 2.0 * c + 0.5;
    const struct jet line = {x, 1.0, 0.0}, bow = {1.0 - x * x, -2.0 * x, -2.0};
    struct jet edge = {1.0, 0.0, 0.0};
    for (int i = 0; i < c; i++)
        edge = times(edge, bow);
    f[0] = (struct jet){1.0, 0.0, 0.0};
    f[1] = (struct jet){2.0 * lambda * x, 2.0 * lambda, 0.0};
    for (int n = 2; n < DEGREES; n++) {
        const struct jet a = times(line, f[n - 1]), b = f[n - 2];
        const double p = 2.0 * (n + lambda - 1.0) / n, q = (n + 2.0 * lambda - 2.0) / n;
        f[n] = (struct jet){p * a.value - q * b.value, p * a.slope - q * b.slope, p * a.curvature - q * b.curvature};
    }
    for (int n = 0; n < DEGREES; n++)
        f[n] = times(f[n], edge);
}

/* Node i of the Gauss-Legendre rule on -1..1, by Newton's method, and its weight. */
static void gauss_point(int i, double *x, double *weight)
{
    double slope = 0.0;
    *x = cos(M_PI * (i + 0.75) / (POINTS + 0.5));
    for (int step = 0; step < 20; step++) {
        double p = 1.0, before = 0.0;
        for (int n = 1; n <= POINTS; n++) {
            const double next = ((2.0 * n - 1.0) * *x * p - (n - 1.0) * before) / n;
            before = p;
            p = next;
        }
        slope = POINTS * (*x * p - before) / (*x * *x - 1.0);
        *x -= p / slope;
    }
    *weight = 2.0 / ((1.0 - *x * *x) * slope * slope);
}

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
        gauss_point(k, &x, &weight[k]);
        list_functions(f[k], x, c);
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
    int status = banded_make(&matrix, COUNT, COUNT - 1) || !memory
                     ? fail(e, ERROR_MEMORY, "out of memory for the modes of a plate")
                     : 0;
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
