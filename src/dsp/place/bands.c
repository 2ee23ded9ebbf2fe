/* SPDX-License-Identifier: MIT */
#include "dsp/place/bands.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double OCTAVE = 1.9952623149688795; /* 10^(3/10), IEC 61260-1 */
enum { EACH = 12 };                              /* bands of an octave */

/* Hz. With an even number of bands of an octave 1 kHz is an edge. */
static double centre_of(long index)
{
    return 1000.0 * pow(OCTAVE, (double)(2 * index + 1) / (2 * EACH));
}

int place_bands_make(struct place_bands *bands, double low, double high, struct error *e)
{
    const double steps = EACH / log(OCTAVE);
    const long first = (long)ceil(log(low / 1000.0) * steps - 0.5 - 1e-9);
    const long last = (long)floor(log(high / 1000.0) * steps - 0.5 + 1e-9);
    if (!(low > 0.0) || last < first)
        return fail(e, ERROR_USAGE, "no band of a twelfth of an octave lies between %g and %g Hz; use a wider band",
                    low, high);
    bands->count = (size_t)(last - first + 1);
    bands->centre = malloc(bands->count * sizeof *bands->centre);
    bands->frequency = malloc(bands->count * PLACE_LINES * sizeof *bands->frequency);
    if (!bands->centre || !bands->frequency)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t b = 0; b < bands->count; b++) {
        bands->centre[b] = centre_of(first + (long)b);
        for (int i = 0; i < PLACE_LINES; i++)
            bands->frequency[b * PLACE_LINES + (size_t)i] =
                bands->centre[b] * pow(OCTAVE, ((i + 0.5) / PLACE_LINES - 0.5) / EACH);
    }
    return 0;
}

void place_bands_free(struct place_bands *bands)
{
    free(bands->centre);
    free(bands->frequency);
    memset(bands, 0, sizeof *bands);
}

double place_bands_top(const struct place_bands *bands)
{
    return bands->centre[bands->count - 1] * pow(OCTAVE, 0.5 / EACH);
}

double place_bands_finest(const struct place_bands *bands)
{
    return bands->centre[0] * (pow(OCTAVE, 0.5 / EACH) - pow(OCTAVE, -0.5 / EACH));
}

/* Of two sections, by the bilinear transform of s/(s + w). */
static double complex high_pass_at(double frequency, double corner, double rate)
{
    const double t = tan(M_PI * frequency / rate), c = tan(M_PI * corner / rate);
    const double complex section = I * t / (c + I * t);
    return section * section;
}

void place_transform(double *re, double *im, const struct place_bands *bands, const double *h, size_t frames,
                     double rate, double corner)
{
    for (size_t i = 0; i < bands->count * PLACE_LINES; i++) {
        const double frequency = bands->frequency[i], angle = -2.0 * M_PI * frequency / rate;
        const double turn[2] = {cos(angle), sin(angle)};
        double x = 1.0, y = 0.0, sum[2] = {0.0, 0.0};
        for (size_t n = 0; n < frames; n++) {
            sum[0] += h[n] * x;
            sum[1] += h[n] * y;
            const double next = x * turn[0] - y * turn[1];
            y = x * turn[1] + y * turn[0];
            x = next;
        }
        const double complex value =
            (sum[0] + I * sum[1]) / (corner > 0.0 ? high_pass_at(frequency, corner, rate) : 1.0);
        re[i] = creal(value);
        im[i] = cimag(value);
    }
}

size_t place_transfers_lines(const struct place_transfers *t)
{
    return t->seats * t->bands->count * PLACE_LINES;
}

/* Mean over the bands of the variance over the seats. */
static double seat_variance(const double *level, size_t seats, size_t bands)
{
    double sum = 0.0;
    for (size_t b = 0; b < bands; b++) {
        double mean = 0.0;
        for (size_t s = 0; s < seats; s++)
            mean += level[s * bands + b] / (double)seats;
        for (size_t s = 0; s < seats; s++)
            sum += (level[s * bands + b] - mean) * (level[s * bands + b] - mean);
    }
    return sum / (double)(seats * bands);
}

void place_score_make(struct place_score *score, double *level, const struct place_transfers *t, const double *re,
                      const double *im)
{
    const size_t count = t->seats * t->bands->count;
    double mean = 0.0, power = 0.0, sum = 0.0;
    for (size_t b = 0; b < count; b++) {
        double square = 0.0;
        for (size_t i = b * PLACE_LINES; i < (b + 1) * PLACE_LINES; i++)
            square += re[i] * re[i] + im[i] * im[i];
        square /= PLACE_LINES;
        power += square;
        level[b] = 10.0 * log10(square + 1e-30);
        mean += level[b];
    }
    mean /= (double)count;
    for (size_t b = 0; b < count; b++)
        sum += (level[b] - mean) * (level[b] - mean);
    *score = (struct place_score){.spread = sqrt(sum / (double)count),
                                  .seats = sqrt(seat_variance(level, t->seats, t->bands->count)),
                                  .output = 10.0 * log10(power / (double)count + 1e-30)};
}
