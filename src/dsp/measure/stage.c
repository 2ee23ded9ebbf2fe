/* SPDX-License-Identifier: MIT */
#include "dsp/measure/stage.h"

#include <math.h>

#include "dsp/measure/band.h"

enum { FIRST_OCTAVE = 2 }; /* 250 Hz, in struct metrics */

static const double direct = 0.010, early_from = 0.020, late_from = 0.100, late_to = 1.000; /* s after the arrival */
static const double tail_max = 0.1; /* share of an energy that may be extrapolated rather than measured */

void stage_begin(struct metrics_stage *s)
{
    *s = (struct metrics_stage){.early_mean = NAN, .late_mean = NAN};
    for (int i = 0; i < STAGE_BANDS; i++)
        s->early[i] = s->late[i] = NAN;
}

/* Energy between two times; NaN where too little of it was measured. */
static double between(const struct energy_decay *d, double from, double to)
{
    const double energy = energy_decay_after(d, from) - energy_decay_after(d, to);
    const double cut = fmin(fmax(((double)d->cut - (double)d->arrival) / d->rate, from), to);
    const double guessed = energy_decay_after(d, cut) - energy_decay_after(d, to);
    return energy > 0.0 && guessed <= tail_max * energy ? energy : NAN;
}

void stage_measure(struct metrics_stage *s, size_t octave, const struct energy_decay *d)
{
    if (octave < FIRST_OCTAVE || octave >= FIRST_OCTAVE + STAGE_BANDS)
        return;
    const double first = d->total - energy_decay_after(d, direct); /* with the ringing before the arrival */
    s->early[octave - FIRST_OCTAVE] = band_ratio_level(between(d, early_from, late_from), first);
    s->late[octave - FIRST_OCTAVE] = band_ratio_level(between(d, late_from, late_to), first);
}

static double average(const double *values, const struct metrics_band *bands, size_t *count)
{
    double sum = 0.0;
    *count = 0;
    for (size_t i = 0; i < STAGE_BANDS; i++)
        if (bands[FIRST_OCTAVE + i].validity == METRICS_VALID && isfinite(values[i])) {
            sum += values[i];
            *count += 1;
        }
    return *count ? sum / (double)*count : NAN;
}

void stage_average(struct metrics_stage *s, const struct metrics_band *bands)
{
    s->early_mean = average(s->early, bands, &s->early_count);
    s->late_mean = average(s->late, bands, &s->late_count);
}
