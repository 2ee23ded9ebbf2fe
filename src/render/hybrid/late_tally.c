/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "render/hybrid/late_walls.h"

static const double pi = 3.14159265358979323846;

static size_t sum_count(const struct late_tally *t)
{
    return t->of->receivers * t->bins * t->of->bands.count * (t->directions ? LATE_MOMENTS : 1);
}

int late_tally_make(struct late_tally *t, const struct late_histogram *shape, size_t parts, const float *air,
                    size_t rays, bool directions, struct error *e)
{
    const struct late_bands fine = late_bands_split(&shape->bands, parts);
    const int fewer = (int)fmax(ceil(log2((double)rays)) - LATE_RAY_BITS, 0.0);
    *t = (struct late_tally){.of = shape,
                             .parts = parts,
                             .air = air,
                             .bins = shape->bins,
                             .bin = shape->bin,
                             .unit = ldexp(1.0, LATE_BITS - fewer),
                             .energy_of_ray = 1.0 / (4.0 * pi * (double)rays),
                             .directions = directions};
    for (size_t i = 0; i < fine.count; i++)
        t->share[i] =
            (float)((fine.upper[i] - fine.lower[i]) / (shape->bands.upper[i / parts] - shape->bands.lower[i / parts]));
    const size_t count = sum_count(t);
    if (memory_demand((double)count * sizeof *t->sums, e, "energies of late sound"))
        return -1;
    t->sums = calloc(count + 1, sizeof *t->sums);
    return t->sums ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

void late_tally_free(struct late_tally *t)
{
    free(t->sums);
    memset(t, 0, sizeof *t);
}

/* sums[count] += round(factor × energy). */
static void add_rounded(int64_t *sums, const float *energy, size_t count, double factor)
{
    for (size_t b = 0; b < count; b++)
        sums[b] += late_tally_round(factor * (double)energy[b]);
}

void late_tally_add(struct late_tally *t, size_t receiver, size_t bin, size_t first, size_t count, const float *energy,
                    double share, const double towards[3])
{
    float means[LATE_BANDS_MAX];
    const size_t bands = t->of->bands.count, moments = t->directions ? LATE_MOMENTS : 1;
    const size_t from = first / t->parts, heard = (first + count - 1) / t->parts + 1 - from;
    const double factor = late_tally_factor(t, share);
    int64_t *sums = t->sums + ((receiver * t->bins + bin) * moments) * bands + from;
    for (size_t b = 0; b < heard; b++)
        means[b] = late_tally_mean(t, bin, from + b, first, count, energy);
    add_rounded(sums, means, heard, factor);
    for (size_t k = 1; k < moments; k++)
        add_rounded(sums + k * bands, means, heard, factor * towards[k - 1]);
}

void late_tally_join(struct late_tally *to, const struct late_tally *t)
{
    const size_t count = sum_count(t);
    for (size_t i = 0; i < count; i++)
        to->sums[i] += t->sums[i];
    to->lost += t->lost;
}

void late_tally_give(struct late_histogram *h, const struct late_tally *t)
{
    const size_t moments = t->directions ? LATE_MOMENTS : 1;
    const double scale = t->energy_of_ray / t->unit;
    for (size_t place = 0; place < h->receivers * h->bins; place++)
        for (size_t k = 0; k < moments; k++)
            for (size_t b = 0; b < h->bands.count; b++)
                late_energy(h, place / h->bins, place % h->bins, b)[k] =
                    scale * (double)t->sums[(place * moments + k) * h->bands.count + b];
    h->lost = (size_t)((double)t->lost * LATE_LOST_UNIT + 0.5);
}

int late_histogram_make(struct late_histogram *h, size_t receivers, size_t bins, double bin,
                        const struct late_bands *bands, struct error *e)
{
    const size_t count = receivers * bins * bands->count * LATE_MOMENTS;
    *h = (struct late_histogram){.receivers = receivers, .bins = bins, .bin = bin, .bands = *bands};
    if (memory_demand((double)count * sizeof *h->energy, e, "energies of late sound"))
        return -1;
    h->energy = calloc(count + 1, sizeof *h->energy);
    return h->energy ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

void late_histogram_free(struct late_histogram *h)
{
    free(h->energy);
    memset(h, 0, sizeof *h);
}

/* Mean of exp(-m x). */
double late_air(const struct late_histogram *h, size_t bin, double lower, double upper,
                const struct air_conditions *air, double sound_speed)
{
    enum { POINTS = 4 };
    double sum = 0.0;
    for (int f = 0; f < POINTS; f++) {
        const double frequency = lower + (upper - lower) * (f + 0.5) / POINTS;
        const double decay = 2.0 * air_absorption(frequency, air) * sound_speed * h->bin;
        sum += exp(-decay * (double)bin) * (decay > 1e-9 ? -expm1(-decay) / decay : 1.0) / POINTS;
    }
    return sum;
}

size_t late_first_bin(const struct late_histogram *h, double earliest)
{
    return earliest > 0.0 ? (size_t)fmin(floor(earliest / h->bin + 0.5), (double)h->bins) : 0;
}

void late_hold_back(struct late_histogram *h, size_t receiver, double earliest)
{
    const size_t first = late_first_bin(h, earliest);
    for (size_t bin = 0; bin < first && first < h->bins; bin++)
        for (size_t b = 0; b < h->bands.count; b++)
            for (size_t k = 0; k < LATE_MOMENTS; k++) {
                late_energy(h, receiver, first, b)[k] += late_energy(h, receiver, bin, b)[k];
                late_energy(h, receiver, bin, b)[k] = 0.0;
            }
}

double late_energy_from(const struct late_histogram *h, size_t receiver, size_t band, size_t first)
{
    double sum = 0.0;
    for (size_t bin = h->bins; bin-- > first;)
        sum += *late_energy(h, receiver, bin, band);
    return sum;
}

double late_decay_level(const struct late_histogram *h, size_t receiver, size_t band)
{
    enum { LEAST = 16 }; /* bins */
    size_t start = 0;
    while (start < h->bins && !(*late_energy(h, receiver, start, band) > 0.0))
        start++;
    const size_t eighth = (h->bins - start) / 8;
    if (h->bins - start < LEAST)
        return start < h->bins ? 0.0 : -INFINITY;
    const double whole = late_energy_from(h, receiver, band, start);
    const double last = late_energy_from(h, receiver, band, h->bins - eighth);
    const double before = late_energy_from(h, receiver, band, h->bins - 2 * eighth) - last;
    const double steady = 8.0 * last, rest = last < before ? last * last / (before - last) : INFINITY;
    return last > 0.0 ? 10.0 * log10(rest < steady ? rest / (whole + rest) : fmin(1.0, steady / whole)) : -INFINITY;
}

double late_reverberation(const struct late_histogram *h, size_t receiver, size_t band, double range)
{
    const double all = late_energy_from(h, receiver, band, 0);
    double left = all, count = 0.0, times = 0.0, levels = 0.0, squares = 0.0, products = 0.0;
    for (size_t bin = 0; bin < h->bins; bin++) {
        const double level = 10.0 * log10(left / all), time = (double)bin * h->bin;
        if (level <= -5.0 && level >= -5.0 - range) {
            count += 1.0;
            times += time;
            levels += level;
            squares += time * time;
            products += time * level;
        }
        if (level < -5.0 - range)
            return -60.0 * (count * squares - times * times) / (count * products - times * levels);
        left -= *late_energy(h, receiver, bin, band);
    }
    return NAN;
}
