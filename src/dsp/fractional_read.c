/* SPDX-License-Identifier: MIT */
#include "dsp/fractional_read.h"

#include <math.h>
#include <stdlib.h>

enum { HALF = FRACTIONAL_TAPS / 2 };
static const double shape = 9.0; /* β of the Kaiser window */

/* I₀(x), by its series. */
static double bessel(double x)
{
    double sum = 1.0, term = 1.0;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= 0.25 * x * x / ((double)k * (double)k);
        sum += term;
    }
    return sum;
}

/* sinc(t) I₀(β sqrt(1 - (t/HALF)²)) / I₀(β), t in samples. */
static double tap(double t)
{
    const double u = t / HALF;
    if (fabs(u) >= 1.0)
        return 0.0;
    return (fabs(t) < 1e-12 ? 1.0 : sin(M_PI * t) / (M_PI * t)) * bessel(shape * sqrt(1.0 - u * u)) / bessel(shape);
}

int fractional_reader_make(struct fractional_reader *r, struct error *e)
{
    r->taps = malloc((FRACTIONAL_PHASES + 1) * sizeof *r->taps);
    if (!r->taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int p = 0; p <= FRACTIONAL_PHASES; p++)
        for (int k = 0; k < FRACTIONAL_TAPS; k++) {
            const double t = (double)(k - HALF + 1) - (double)p / FRACTIONAL_PHASES;
            r->taps[p][k] = p % FRACTIONAL_PHASES ? tap(t) : t == 0.0;
        }
    return 0;
}

void fractional_reader_free(struct fractional_reader *r)
{
    free(r->taps);
    r->taps = NULL;
}

double fractional_read(const struct fractional_reader *r, const double *samples, size_t frames, double at)
{
    if (!(at > -HALF && at < (double)frames + HALF))
        return 0.0;
    const double whole = floor(at), phase = (at - whole) * FRACTIONAL_PHASES;
    const ptrdiff_t p = (ptrdiff_t)phase, first = (ptrdiff_t)whole - HALF + 1;
    const double part = phase - (double)p, *low = r->taps[p], *high = r->taps[p + 1];
    const ptrdiff_t from = first < 0 ? -first : 0, left = (ptrdiff_t)frames - first,
                    to = left < FRACTIONAL_TAPS ? left : FRACTIONAL_TAPS;
    double sum = 0.0;
    for (ptrdiff_t k = from; k < to; k++)
        sum += ((1.0 - part) * low[k] + part * high[k]) * samples[first + k];
    return sum;
}
