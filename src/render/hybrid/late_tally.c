/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const double pi = 3.14159265358979323846;

/* Bits of a whole number: the mean first energy of rays has up to 38 of them, what one adds at once is less than 2^51
 * units (it is cut there; its first energy is seldom more than 4 times the mean), and four million rays may add all of
 * theirs to one sum; of more rays each has fewer bits. */
enum { BITS = 38, FIRST_BITS = 2, RAY_BITS = 22, ADDED_BITS = 51 };

static size_t sum_count(const struct late_tally *t)
{
    return t->of->receivers * t->bins * t->of->bands.count * (t->directions ? LATE_MOMENTS : 1);
}

int late_tally_make(struct late_tally *t, const struct late_histogram *shape, size_t parts, const float *air,
                    size_t rays, bool directions, struct error *e)
{
    const struct late_bands fine = late_bands_split(&shape->bands, parts);
    const int fewer = (int)fmax(ceil(log2((double)rays)) - RAY_BITS, 0.0);
    *t = (struct late_tally){.of = shape,
                             .parts = parts,
                             .air = air,
                             .bins = shape->bins,
                             .bin = shape->bin,
                             .unit = ldexp(1.0, BITS - fewer),
                             .energy_of_ray = 1.0 / (4.0 * pi * (double)rays),
                             .directions = directions};
    for (size_t i = 0; i < fine.count; i++)
        t->share[i] =
            (float)((fine.upper[i] - fine.lower[i]) / (shape->bands.upper[i / parts] - shape->bands.lower[i / parts]));
    const size_t count = sum_count(t);
    if (memory_demand((double)count * sizeof *t->sums, e, "energies of late sound"))
        return -1;
    t->sums = calloc(count + 1, sizeof *t->sums);
    return t->sums ? 0 : fail(e, ERROR_MEMORY, "out of memory for energies of late sound");
}

void late_tally_free(struct late_tally *t)
{
    free(t->sums);
    memset(t, 0, sizeof *t);
}

/* The means of parts over their bands, which begin with that of part `first`: energies [the number returned]. */
static size_t mean_of_parts(float *means, const struct late_tally *t, size_t bin, size_t first, size_t count,
                            const float *energy)
{
    const size_t from = first / t->parts, bands = (first + count - 1) / t->parts + 1 - from;
    const float *air = t->air ? t->air + bin * t->of->bands.count * t->parts : NULL;
    for (size_t b = 0; b < bands; b++)
        means[b] = 0.0f;
    for (size_t i = first; i < first + count; i++)
        means[i / t->parts - from] += energy[i - first] * t->share[i] * (air ? air[i] : 1.0f);
    return bands;
}

/* sums[count] += round(factor × energy), cut at ±2^51: the mantissa of 1.5 2^52 + x is the whole number. */
static void add_rounded(int64_t *sums, const float *energy, size_t count, double factor)
{
    const double shift = 0x1.8p52, most = 0x1p51 - 1.0;
    int64_t zero;
    memcpy(&zero, &shift, sizeof zero);
    for (size_t b = 0; b < count; b++) {
        const double moved = fmax(fmin(factor * (double)energy[b], most), -most) + shift;
        int64_t bits;
        memcpy(&bits, &moved, sizeof bits);
        sums[b] += bits - zero;
    }
}

void late_tally_add(struct late_tally *t, size_t receiver, size_t bin, size_t first, size_t count, const float *energy,
                    double share, const double towards[3])
{
    float means[LATE_BANDS_MAX];
    const size_t bands = t->of->bands.count, moments = t->directions ? LATE_MOMENTS : 1;
    const size_t heard = mean_of_parts(means, t, bin, first, count, energy);
    const double most = ldexp(1.0, ADDED_BITS - BITS - FIRST_BITS - 1), factor = fmin(share, most) * t->unit;
    int64_t *sums = t->sums + ((receiver * t->bins + bin) * moments) * bands + first / t->parts;
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
