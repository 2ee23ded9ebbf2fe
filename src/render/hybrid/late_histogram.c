/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int late_histogram_make(struct late_histogram *h, size_t receivers, size_t bins, double bin,
                        const struct late_bands *bands, struct error *e)
{
    const size_t count = receivers * bins * bands->count * LATE_MOMENTS;
    *h = (struct late_histogram){.receivers = receivers, .bins = bins, .bin = bin, .bands = *bands};
    if (memory_demand((double)count * sizeof *h->energy, e, "energies of late sound"))
        return -1;
    h->energy = calloc(count + 1, sizeof *h->energy);
    return h->energy ? 0 : fail(e, ERROR_MEMORY, "out of memory for energies of late sound");
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
