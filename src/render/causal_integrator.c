/* SPDX-License-Identifier: MIT */
#include "render/causal_integrator.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "dsp/space/penalised_squares.h"

static const double PENALTY = 1e-10; /* of the filter's samples */
static const double BELOW = 1e-3;    /* weight of what is below the lowest frequency that is right */
static const double TOP = 0.45;      /* of the rate: above, a causal filter cannot follow */
enum { LEAST = 48, MOST = 600, BELOW_BINS = 16 };

int causal_integrator_make(double **out, size_t *out_count, const struct integrator *integrator, int n, double rate,
                           bool trapezoid, struct error *e)
{
    const double low = 2.0 * n * integrator->sound_speed / (2.0 * M_PI * integrator->distance) / rate;
    const double periods = 1.5 + 0.6 * n; /* of the lowest frequency, that the filter lasts */
    const double wanted = fmin(fmax(ceil(periods / low), LEAST), MOST);
    const size_t count = (size_t)wanted, bins = 2 * count, rows = 2 * (bins + BELOW_BINS);
    double *columns = calloc((count + 1) * rows, sizeof *columns), *taps = malloc(count * sizeof *taps);
    int status = columns && taps ? 0 : fail(e, ERROR_MEMORY, "out of memory for an integrator");
    const double scale = pow(integrator->sound_speed / (2.0 * M_PI * low * rate), n); /* of the lowest frequency */
    for (size_t k = 0; k < BELOW_BINS && !status; k++)
        for (size_t i = 0; i < count; i++) {
            const double complex value =
                BELOW * cexp(-M_PI * I * low * (double)i * (double)k / BELOW_BINS) / sqrt((double)BELOW_BINS);
            columns[i * rows + 2 * (bins + k)] = creal(value);
            columns[i * rows + 2 * (bins + k) + 1] = cimag(value);
        }
    for (size_t k = 0; k < bins && !status; k++) {
        const double frequency = low * pow(TOP / low, (double)k / (double)(bins - 1));
        const double omega = rate * (trapezoid ? 2.0 * tan(M_PI * frequency) : 2.0 * M_PI * frequency);
        const double complex level = cpow(integrator->sound_speed / (I * omega), n) * sqrt((double)bins);
        for (size_t i = 0; i <= count; i++) {
            const double complex value =
                i < count ? scale * cexp(-2.0 * M_PI * I * frequency * (double)i) / level : 1.0 / sqrt((double)bins);
            columns[i * rows + 2 * k] = creal(value);
            columns[i * rows + 2 * k + 1] = cimag(value);
        }
    }
    status = status || penalised_squares(taps, count, 1, columns, rows, PENALTY, e) ? -1 : 0;
    for (size_t i = 0; i < count && !status; i++)
        taps[i] *= scale;
    free(columns);
    if (status) {
        free(taps);
        return -1;
    }
    *out = taps;
    *out_count = count;
    return 0;
}
