/* SPDX-License-Identifier: MIT */
#include "render/calibrate/rays.h"

#include <math.h>

#include "render/calibrate/sensitivity.h"
#include "render/hybrid/late_walls.h"

/* The bin of the arrival: the first above -20 dB of the largest, since octave filters ring ahead of it. */
static size_t onset_of(const struct late_histogram *h, size_t place, size_t band)
{
    double largest = 0.0;
    size_t first = 0;
    for (size_t bin = 0; bin < h->bins; bin++)
        largest = fmax(largest, late_energy(h, place, bin, band)[0]);
    while (first < h->bins && !(late_energy(h, place, first, band)[0] > 0.01 * largest))
        first++;
    return first;
}

double calibrate_time(double span[2], const struct late_histogram *h, size_t place, size_t band, double from,
                      double range)
{
    const size_t onset = onset_of(h, place, band);
    const double all = late_energy_from(h, place, band, onset);
    double left = all, n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, ends[2] = {NAN, NAN};
    bool reached = false;
    for (size_t bin = onset; bin < h->bins && all > 0.0 && !reached; bin++) {
        const double energy = late_energy(h, place, bin, band)[0], level = 10.0 * log10(left / all);
        const double at = (double)bin * h->bin;
        reached = !(level >= -(from + range));
        if (!reached && level <= -from) {
            ends[0] = n > 0.0 ? ends[0] : at;
            ends[1] = at;
            n += 1.0;
            x += at;
            y += level;
            xx += at * at;
            xy += at * level;
        }
        left = fmax(left - energy, 0.0);
    }
    const double spread = n * xx - x * x, slope = (n * xy - x * y) / spread;
    if (span) {
        span[0] = ends[0];
        span[1] = ends[1];
    }
    return reached && n >= 3.0 && spread > 0.0 && slope < 0.0 ? -60.0 / slope : NAN;
}

double calibrate_clarity(const struct late_histogram *h, size_t place, size_t band)
{
    static const double limit = 0.08; /* s */
    const size_t first = onset_of(h, place, band);
    const size_t split = first + (size_t)lround(limit / h->bin);
    if (split >= h->bins)
        return NAN;
    const double late = late_energy_from(h, place, band, split), early = late_energy_from(h, place, band, first) - late;
    return late > 0.0 && early > 0.0 ? 10.0 * log10(early / late) : NAN;
}

struct calibrate_shares calibrate_shares_of(double *wall, const struct late_audit *audit,
                                            const struct late_histogram *h, size_t band, const double span[2],
                                            double time, const struct air_conditions *air, double sound_speed)
{
    const size_t parts = audit->bands / h->bands.count;
    const struct late_bands fine = late_bands_split(&h->bands, parts);
    double met = 0.0, taken = 0.0, lost = 0.0, weights = 0.0;
    for (size_t w = 0; w < audit->walls; w++)
        wall[w] = 0.0;
    for (size_t i = band * parts; i < (band + 1) * parts; i++) {
        const double width = fine.upper[i] - fine.lower[i];
        const double rate = air ? 2.0 * air_absorption(fine.centre[i], air) * sound_speed : 0.0; /* 1/s, of energy */
        lost += width * rate;
        weights += width;
        for (size_t step = 0; step < audit->steps; step++) {
            const double at = ((double)step + 0.5) * audit->step, weight = width * exp(-rate * at);
            if (at + 0.5 * audit->step < span[0] || at - 0.5 * audit->step > span[1])
                continue;
            met += weight * (double)audit->met[step * audit->bands + i];
            for (size_t w = 0; w < audit->walls; w++) {
                const double amount = weight * (double)audit->taken[(step * audit->walls + w) * audit->bands + i];
                wall[w] += amount;
                taken += amount;
            }
        }
    }
    const double in_air = fmin(lost / weights * time / (6.0 * log(10.0)), 1.0);
    for (size_t w = 0; w < audit->walls; w++)
        wall[w] = taken > 0.0 ? wall[w] / taken * (1.0 - in_air) : 0.0;
    return (struct calibrate_shares){met > 0.0 ? taken / met : 0.0, in_air, wall};
}

static size_t band_of(const struct late_histogram *h, double centre)
{
    size_t band = 0;
    while (band < h->bands.count && !(fabs(log2(h->bands.centre[band] / centre)) < 0.1))
        band++;
    return band;
}

void calibrate_of_rays(struct calibrate_prediction *p, const struct calibrate_rays *rays,
                       const struct calibrate_task *task, size_t k, const double *at)
{
    const size_t band = band_of(rays->h, octave_band_centre[task->octave[k]]);
    double wall[LATE_BANDS_MAX * 8];
    for (size_t i = 0; i < task->receivers * CALIBRATE_PARAMETERS; i++) {
        const enum calibrate_parameter parameter = (enum calibrate_parameter)(i % CALIBRATE_PARAMETERS);
        const bool is_clarity = parameter == CALIBRATE_C80;
        const struct calibrate_kind *kind = &calibrate_kinds[is_clarity ? CALIBRATE_EDT : parameter];
        const size_t place = rays->place[i / CALIBRATE_PARAMETERS];
        double span[2], scale = 1.0;
        p->value[i] = NAN;
        if (band == rays->h->bands.count || rays->audit->walls > sizeof wall / sizeof *wall)
            continue;
        const double time = calibrate_time(span, rays->h, place, band, kind->from, kind->range);
        if (!isfinite(time))
            continue;
        p->value[i] = calibrate_datum(is_clarity ? calibrate_clarity(rays->h, place, band) : time, parameter);
        if (is_clarity)
            scale = calibrate_clarity_slope(time);
        const struct calibrate_shares shares =
            calibrate_shares_of(wall, rays->audit, rays->h, band, span, time, rays->air, rays->sound_speed);
        for (size_t m = 0; m < task->materials; m++)
            p->slope[i][m] =
                scale * calibrate_slope(shares.wall[rays->material[m]], calibrate_absorption(at[m]), shares.mean);
    }
}
