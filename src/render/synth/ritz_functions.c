/* SPDX-License-Identifier: MIT */
#include "render/synth/ritz_functions.h"

#include <math.h>

struct jet jet_times(struct jet a, struct jet b)
{
    return (struct jet){a.value * b.value, a.slope * b.value + a.value * b.slope,
                        a.curvature * b.value + 2.0 * a.slope * b.slope + a.value * b.curvature};
}

/* C_n^λ by n C_n = 2x (n + λ - 1) C_n-1 - (n + 2λ - 2) C_n-2, times the edge factor (1 - x²)^c. */
void ritz_functions(struct jet *f, int count, double x, int c)
{
    const double lambda = 2.0 * c + 0.5;
    const struct jet line = {x, 1.0, 0.0}, bow = {1.0 - x * x, -2.0 * x, -2.0};
    struct jet edge = {1.0, 0.0, 0.0};
    for (int i = 0; i < c; i++)
        edge = jet_times(edge, bow);
    f[0] = (struct jet){1.0, 0.0, 0.0};
    f[1] = (struct jet){2.0 * lambda * x, 2.0 * lambda, 0.0};
    for (int n = 2; n < count; n++) {
        const struct jet a = jet_times(line, f[n - 1]), b = f[n - 2];
        const double p = 2.0 * (n + lambda - 1.0) / n, q = (n + 2.0 * lambda - 2.0) / n;
        f[n] = (struct jet){p * a.value - q * b.value, p * a.slope - q * b.slope, p * a.curvature - q * b.curvature};
    }
    for (int n = 0; n < count; n++)
        f[n] = jet_times(f[n], edge);
}

/* By Newton's method. */
void gauss_point(double *x, double *weight, int count, int i)
{
    double slope = 0.0;
    *x = cos(M_PI * (i + 0.75) / (count + 0.5));
    for (int step = 0; step < 20; step++) {
        double p = 1.0, before = 0.0;
        for (int n = 1; n <= count; n++) {
            const double next = ((2.0 * n - 1.0) * *x * p - (n - 1.0) * before) / n;
            before = p;
            p = next;
        }
        slope = count * (*x * p - before) / (*x * *x - 1.0);
        *x -= p / slope;
    }
    *weight = 2.0 / ((1.0 - *x * *x) * slope * slope);
}
