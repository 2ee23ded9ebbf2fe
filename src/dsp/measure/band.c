/* SPDX-License-Identifier: MIT */
#include "dsp/measure/band.h"

#include <math.h>

#include "base/acoustics/conventions.h"
#include "dsp/measure/metrics_table.h"

static const double noise_max = 0.1;       /* of a band's energy: largest noise to subtract where no decay was found */
static const double broad_ringing = 160.0; /* Hz: the broad band's lower edge rings like a band as wide as this */
static const double lowest_edge = 44.5;    /* Hz: the broad band begins where the lowest octave does */

double band_valid_high(const struct metrics_settings *s, double rate)
{
    return s->valid_high > 0.0 ? fmin(s->valid_high, 0.5 * rate) : 0.5 * rate;
}

static enum metrics_validity validity_of(double low, double high, double rate, const struct metrics_settings *s)
{
    const double top = band_valid_high(s, rate);
    if (high > 0.5 * rate || low >= top || high <= s->valid_low)
        return METRICS_OUTSIDE;
    return low >= s->valid_low && high <= top ? METRICS_VALID : METRICS_PARTLY;
}

double band_width(const struct metrics_band *b)
{
    return fmin(b->high - b->low, b->centre > 0.0 ? INFINITY : broad_ringing);
}

static struct metrics_band blank(double centre, double low, double high)
{
    const struct metrics_decay none = {NAN, NAN, NAN, METRICS_BEYOND, NAN};
    struct metrics_band b = {.centre = centre, .low = low, .high = high, .reason = METRICS_BEYOND};
    b.edt = b.t20 = b.t30 = none;
    metrics_clear(&b);
    b.cut = b.length = NAN;
    b.shortest_edt = energy_decay_shortest_early(band_width(&b));
    b.shortest_late = energy_decay_shortest_late(band_width(&b));
    return b;
}

struct metrics_band band_octave(size_t index, double rate, const struct metrics_settings *s)
{
    const double centre = octave_band_centre[index];
    struct metrics_band b = blank(centre, centre / M_SQRT2, centre * M_SQRT2);
    b.validity = validity_of(b.low, b.high, rate, s);
    return b;
}

struct metrics_band band_broad(double rate, const struct metrics_settings *s)
{
    struct metrics_band b = blank(0.0, fmax(s->valid_low, lowest_edge), band_valid_high(s, rate));
    b.validity = b.low < b.high ? METRICS_VALID : METRICS_OUTSIDE;
    return b;
}

struct metrics_band band_third(size_t index, double rate, const struct metrics_settings *s)
{
    static const double nominal[] = {1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0}; /* of a decade */
    const size_t tenth = index + 17;                                                      /* 10^1.7 Hz is 50 Hz */
    const double centre = nominal[tenth % 10] * pow(10.0, (double)(tenth / 10)),
                 middle = pow(10.0, 0.1 * (double)tenth);
    struct metrics_band b = blank(centre, middle * pow(10.0, -0.05), middle * pow(10.0, 0.05));
    b.validity = validity_of(b.low, b.high, rate, s);
    return b;
}

void band_set_reason(struct metrics_band *b, enum metrics_reason reason)
{
    b->edt.reason = b->t20.reason = b->t30.reason = b->reason = reason;
}

/* Centre of gravity of the energy from the arrival on. */
static double centre_time(const struct energy_decay *d)
{
    double moment = 0.0;
    for (size_t n = d->start; n < d->cut; n++)
        moment += (d->energy[n] - d->noise) * ((double)n - (double)d->arrival);
    if (d->fitted)
        moment += d->tail * ((double)d->cut - (double)d->arrival + 1.0 / expm1(d->per_sample));
    return moment / d->total / d->rate;
}

double band_ratio_level(double one, double other)
{
    const double level = 10.0 * log10(one / other);
    return isfinite(level) ? level : NAN;
}

static const double tail_max = 0.1; /* share of the energy that may be extrapolated rather than measured */

/* Whether an energy before or after 50 or 80 ms is negative: the subtracted noise was not noise. */
static bool has_negative_energy(const struct energy_decay *d)
{
    static const double rounding = 0.005; /* of the energy: the resolution of D50 in print */
    const double min = -rounding * d->total, after50 = energy_decay_after(d, 0.05),
                 after80 = energy_decay_after(d, 0.08);
    return !(d->total - after50 >= min && after50 - after80 >= min && after80 >= min);
}

/* dB; NaN where nothing was measured so late, or one of the two parts lies below all that was. */
static double clarity(const struct energy_decay *d, double time, enum metrics_reason *reason)
{
    static const double deepest = 100.0; /* dB: below it lies rounding, of samples and of the filter */
    const double after = energy_decay_after(d, time), level = band_ratio_level(d->total - after, after);
    const double noise = fmax(d->noise, 0.0) * (double)(d->frames - d->start);
    const double span = fmin(d->fitted ? energy_decay_range(d) : 10.0 * log10(d->total / noise), deepest);
    const bool measured = (double)d->arrival + time * d->rate <= (double)d->cut && fabs(level) <= span;
    *reason = measured ? METRICS_NONE : METRICS_SPLIT;
    return measured ? level : NAN;
}

static void measure_energies(struct metrics_band *b, const struct energy_decay *d, double filter_energy, double arrival,
                             const struct metrics_settings *s)
{
    const double scale = s->scale > 0.0 ? s->scale : 1.0;
    if (!(d->tail <= tail_max * d->total)) { /* the extrapolated part would dominate */
        b->reason = energy_decay_lacks(d, -10.0 * log10(tail_max), &b->length);
        b->length += arrival;
        return;
    }
    b->c50 = clarity(d, 0.05, &b->c50_reason);
    b->c80 = clarity(d, 0.08, &b->c80_reason);
    b->d50 = fmin(fmax(1.0 - energy_decay_after(d, 0.05) / d->total, 0.0), 1.0);
    b->ts = fmax(centre_time(d), 0.0); /* ringing before the arrival counts */
    b->g = s->calibrated ? band_ratio_level(d->total * scale * scale, filter_energy * BAND_REFERENCE * BAND_REFERENCE)
                         : NAN;
    b->reason = METRICS_NONE;
}

static struct metrics_decay time_between(const struct energy_decay *d, double from, double to, double arrival)
{
    struct metrics_decay decay = energy_decay_time(d, from, to);
    decay.length += arrival;
    return decay;
}

static void measure_times(struct metrics_band *b, const struct energy_decay *d, double arrival)
{
    b->edt = time_between(d, 0.0, -10.0, arrival);
    b->t20 = time_between(d, -5.0, -25.0, arrival);
    b->t30 = time_between(d, -5.0, -35.0, arrival);
    b->curvature = 100.0 * (b->t30.time / b->t20.time - 1.0);
    b->range = energy_decay_range(d);
    b->noise = d->fitted && d->noisy ? 10.0 * log10(d->noise / -expm1(-d->per_sample) / d->total) : NAN;
    b->cut = ((double)d->cut - (double)d->arrival) / d->rate;
}

/* No decay within less than the 50 ms of D50: possibly the filter's ringing alone. */
static bool is_fragment(const struct energy_decay *d)
{
    return !d->fitted && (double)(d->frames - d->arrival) < 0.05 * d->rate;
}

bool band_measure(struct metrics_band *b, const struct energy_decay *d, double filter_energy, double arrival,
                  const struct metrics_settings *s)
{
    const double noise = d->noise * (double)(d->frames - d->start);
    if (!(d->total > 0.0) || (!d->fitted && noise > noise_max * d->total))
        band_set_reason(b, d->noiseless ? METRICS_SHORT : METRICS_SHAPE);
    else if (is_fragment(d)) {
        band_set_reason(b, METRICS_SHORT);
        b->length = arrival + 0.05;
    } else if (has_negative_energy(d))
        band_set_reason(b, d->noiseless ? METRICS_SHORT : METRICS_UNLIKE);
    else {
        measure_times(b, d, arrival);
        measure_energies(b, d, filter_energy, arrival, s);
        return true;
    }
    return false;
}
