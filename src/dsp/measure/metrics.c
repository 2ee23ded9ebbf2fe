/* SPDX-License-Identifier: MIT */
#include "dsp/measure/metrics.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/measure/band.h"
#include "dsp/measure/clipping.h"
#include "dsp/measure/energy_decay.h"
#include "dsp/measure/metrics_table.h"
#include "dsp/measure/octave_bank.h"
#include "dsp/measure/record_end.h"
#include "dsp/measure/speech.h"

/* Tells the record of a sweep from an impulse response: its octaves sound one after another. */

/* When an octave sounds. */
struct octave_time {
    double mean, deviation; /* s; NaN: not measured */
};

static struct octave_time octave_time_of(const double *energy, size_t frames, double rate)
{
    double sum = 0.0, first = 0.0, second = 0.0;
    for (size_t n = 0; n < frames; n++) {
        const double time = (double)n / rate;
        sum += energy[n];
        first += energy[n] * time;
        second += energy[n] * time * time;
    }
    const double mean = first / sum;
    return (struct octave_time){mean, sqrt(fmax(second / sum - mean * mean, 0.0))};
}

/* 1: the second octave sounds behind the first, -1: before it; 0: together. Octaves of a sweep are 1.7 times as far apart
 * as the sum of their deviations, less in a reverberant room; those of decays twice as long in each octave 0.3 times. */
static int order_of(const struct octave_time *one, const struct octave_time *other)
{
    static const double least = 0.6;
    const double apart = other->mean - one->mean, both = one->deviation + other->deviation;
    return !(fabs(apart) > least * both) ? 0 : apart > 0.0 ? 1 : -1;
}

static bool octaves_are_swept(const struct octave_time *octaves, size_t count)
{
    static const size_t least = 5;
    static const double shortest = 0.2; /* s */
    size_t first = 0;
    for (size_t i = 1; i < count; i++) {
        const int order = order_of(&octaves[i - 1], &octaves[i]);
        if (!order)
            first = i;
        else if (i - first > 1 && order != order_of(&octaves[i - 2], &octaves[i - 1]))
            first = i - 1;
        if (i - first + 1 >= least && fabs(octaves[i].mean - octaves[first].mean) >= shortest)
            return true;
    }
    return false;
}

/* Stage support: sound that the room returns to a musician at 1 m from the instrument (ISO 3382-1, annex C), theory
 * (101). */

enum { FIRST_OCTAVE = 2 }; /* 250 Hz, in struct metrics */

static const double direct = 0.010, early_from = 0.020, late_from = 0.100, late_to = 1.000; /* s after the arrival */
static const double tail_max = 0.1; /* share of an energy that may be extrapolated rather than measured */

static void stage_begin(struct metrics_stage *s)
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

static void stage_measure(struct metrics_stage *s, size_t octave, const struct energy_decay *d)
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

static void stage_average(struct metrics_stage *s, const struct metrics_band *bands)
{
    s->early_mean = average(s->early, bands, &s->early_count);
    s->late_mean = average(s->late, bands, &s->late_count);
}

static const double silence = 1e-20; /* of the whole energy: less is rounding */
/* In periods of the centre of an octave band: */
static const double ringing = 4.0;     /* longer than its ringing before an arrival */
static const double end_ringing = 9.5; /* longer than its ringing where a louder sound below the band breaks off */

enum { KEPT_LENGTH = 1 << 20 }; /* of a transform: filters of longer ones would fill the memory */

/* A set of bands of one width. */
struct bank_kind {
    double width; /* octaves */
    double reach; /* s: 9.5 periods of the lowest centre, divided by the width */
};
static const struct bank_kind octaves = {1.0, 0.15}, thirds = {1.0 / 3.0, 0.57};

const char *metrics_reason_text(enum metrics_reason reason)
{
    static const char *const words[] = {
#define X(name, text) text,
        METRICS_REASONS(X)
#undef X
    };
    return words[reason];
}

static struct band_edges edges_of(const struct metrics_band *b, double rate, double width)
{
    return (struct band_edges){.low = b->low, .high = b->high < 0.5 * rate ? b->high : INFINITY, .width = width};
}

static double peak_about(double offset, const double *samples, size_t frames)
{
    double peak = 0.0;
    for (size_t n = 0; n < frames && !stop_requested_at(n); n++)
        peak = fmax(peak, fabs(samples[n] - offset));
    return peak;
}

/* Constant offset of a record: the mean of its last tenth, if the record begins there too once the filter has
 * `settled`; else 0, because that is sound. A high-pass would remove it as well, but ring before the arrival of a boomy
 * room. */
static double offset_of(const double *samples, size_t frames, size_t settled)
{
    static const double alike = 0.05; /* of the peak */
    const size_t tenth = frames / 10;
    double mean = 0.0;
    for (size_t n = frames - tenth; n < frames && !stop_requested_at(n); n++)
        mean += samples[n] / (double)tenth;
    return fabs(samples[settled] - mean) <= alike * peak_about(mean, samples, frames) ? mean : 0.0;
}

/* The first sample 20 dB below the peak (ISO 3382-1, annex A). A response with a sharp upper limit rings before every
 * arrival at more than -20 dB; so it is filtered by a Gaussian, which does not ring and rises to -20 dB of its peak a
 * known time before it: exp(-(pi tilt t)^2) = 0.1. */
static int find_arrival(double *arrival, struct octave_bank *bank, double high, double rate, double *samples,
                        struct error *e)
{
    const struct band_edges edges[2] = {{.high = INFINITY, .tilt = high / sqrt(M_LN10)}};
    double *out[2] = {samples, NULL}, energy[2];
    const size_t frames = bank->lead + bank->frames;
    if (octave_bank_pair(bank, edges, out, energy, e))
        return -1;
    const double early = sqrt(M_LN10) / (M_PI * edges[0].tilt);
    const size_t settled = (size_t)fmin(ceil(2.0 * early * rate), (double)bank->frames - 1.0);
    const double offset = offset_of(samples + bank->lead, bank->frames, settled);
    const double threshold = 0.1 * peak_about(offset, samples + bank->lead, bank->frames);
    size_t n = bank->lead; /* the step at the start of an offset is no sound */
    if (fabs(offset) > 0.1 * threshold)
        n += settled;
    while (n + 1 < frames && !(fabs(samples[n] - offset) >= threshold))
        n++;
    const double before = fabs(samples[n - 1] - offset), here = fabs(samples[n] - offset);
    const double share = here > before ? fmin(fmax((threshold - before) / (here - before), 0.0), 1.0) : 1.0;
    const double sample = round((double)n - 1.0 + share - (double)bank->lead + early * rate);
    *arrival = fmin(fmax(sample, 0.0), (double)bank->frames - 1.0) / rate;
    return stop_check(e);
}

static void fill_curve(double *curve, const struct energy_decay *d, const struct metrics_settings *s)
{
    for (size_t i = 0; i < s->curve_points; i++) {
        const double time = (double)i * s->curve_step;
        if (time * d->rate < (double)(d->cut - d->arrival))
            curve[i] = band_ratio_level(energy_decay_after(d, time), d->total);
    }
}

struct metrics_bench {
    struct octave_bank bank;
    double *signal[2]; /* [bank.lead + bank.frames] */
};

struct measurement {
    struct metrics *m;
    const struct metrics_settings *settings;
    const struct bank_kind *kind;
    struct metrics_bench own, *bench; /* own, or that of the settings */
    double whole;                     /* Σ of the record's squares */
    struct octave_time when[METRICS_OCTAVES];
};

/* Parameters of octaves and the broad band only. */
static void measure_octave(struct measurement *w, size_t index, const struct energy_decay *d)
{
    struct metrics *m = w->m;
    if (w->settings->curves)
        fill_curve(w->settings->curves + index * w->settings->curve_points, d, w->settings);
    if (index >= 1 && index <= SPEECH_BANDS) {
        speech_transfer(d, m->transfer[index - 1]);
        m->mti[index - 1] = speech_band_index(m->transfer[index - 1]);
    }
    stage_measure(&m->stage, index, d);
}

/* signal: samples of the band, squared in place. */
static int measure_band(struct measurement *w, struct metrics_band *b, double *signal, double filter_energy,
                        struct error *e)
{
    struct metrics *m = w->m;
    const double width = w->kind->width, middle = b->low * pow(2.0, 0.5 * width);
    const size_t arrival = w->bench->bank.lead + (size_t)lround(m->arrival * m->rate);
    const size_t before = (size_t)ceil(fmin(ringing / middle / width * m->rate, (double)w->bench->bank.lead));
    const size_t frames = w->bench->bank.lead + w->bench->bank.frames;
    const size_t guard = (size_t)(end_ringing / middle / width * m->rate);
    struct energy_decay d = {.energy = signal, .start = arrival - before, .arrival = arrival};
    double sum = 0.0;
    for (size_t n = 0; n < frames && !stop_requested_at(n); n++)
        sum += signal[n] *= signal[n];
    if (stop_check(e))
        return -1;
    if (w->kind == &octaves && b != &m->band[METRICS_BROAD])
        w->when[b - m->band] = octave_time_of(signal, frames, m->rate);
    d.rate = m->rate;
    d.frames = frames - arrival > 4 * guard ? energy_decay_end(signal, frames, guard) : frames;
    d.bandwidth = band_width(b);
    d.noiseless = w->settings->noiseless;
    if (!(sum > silence * w->whole)) {
        band_set_reason(b, METRICS_SILENT);
        return 0;
    }
    if (energy_decay_fit(&d, e))
        return -1;
    if (band_measure(b, &d, filter_energy, m->arrival, w->settings) && w->kind == &octaves)
        measure_octave(w, (size_t)(b - m->band), &d);
    energy_decay_free(&d);
    return stop_check(e);
}

static int measure_bands(struct measurement *w, struct metrics_band *bands, size_t band_count, struct error *e)
{
    struct metrics_band *wanted[METRICS_BANDS + METRICS_THIRDS];
    size_t count = 0;
    for (size_t i = 0; i < band_count; i++)
        if (bands[i].validity != METRICS_OUTSIDE)
            wanted[count++] = &bands[i];
    for (size_t i = 0; i < count; i += 2) {
        const bool pair = i + 1 < count;
        const struct band_edges edges[2] = {
            edges_of(wanted[i], w->m->rate, w->kind->width),
            edges_of(wanted[pair ? i + 1 : i], w->m->rate, w->kind->width),
        };
        double *out[2] = {w->bench->signal[0], pair ? w->bench->signal[1] : NULL}, energy[2];
        if (octave_bank_pair(&w->bench->bank, edges, out, energy, e))
            return -1;
        for (size_t k = 0; k < (pair ? 2u : 1u); k++)
            if (measure_band(w, wanted[i + k], w->bench->signal[k], energy[k], e))
                return -1;
    }
    return 0;
}

static void measure_speech(struct metrics *m)
{
    m->sti_reason = speech_reason(m, METRICS_MALE);
    m->sti = m->sti_reason ? NAN : speech_index(m->mti);
}

static int check_samples(struct measurement *w, const double *samples, size_t frames, struct error *e)
{
    for (size_t n = 0; n < frames; n++) {
        if (stop_requested_at(n))
            return stop_check(e);
        if (!isfinite(samples[n]))
            return fail(e, ERROR_INPUT, "sample %zu is not a finite number", n);
        w->m->peak = fmax(w->m->peak, fabs(samples[n]));
        w->whole += samples[n] * samples[n];
    }
    if (!frames)
        return fail(e, ERROR_INPUT, "there are no samples");
    if (w->m->peak > 0.0 && (!(w->whole > 0.0) || !isfinite(w->whole)))
        return fail(e, ERROR_INPUT, "the level is out of range");
    return 0;
}

static void clear_bench(struct metrics_bench *bench)
{
    for (size_t k = 0; k < 2; k++)
        free(bench->signal[k]);
    octave_bank_close(&bench->bank);
    memset(bench, 0, sizeof *bench);
}

struct metrics_bench *metrics_bench_make(void)
{
    return calloc(1, sizeof(struct metrics_bench));
}

void metrics_bench_free(struct metrics_bench *bench)
{
    if (bench)
        clear_bench(bench);
    free(bench);
}

static int open_bench(struct metrics_bench *bench, const double *samples, size_t frames, double rate, double reach,
                      struct error *e)
{
    clear_bench(bench);
    if (octave_bank_open(&bench->bank, samples, frames, rate, reach, e))
        return -1;
    for (size_t k = 0; k < 2; k++)
        bench->signal[k] = malloc((bench->bank.lead + frames) * sizeof *bench->signal[k]);
    if (!bench->signal[0] || !bench->signal[1])
        return fail(e, ERROR_MEMORY, "out of memory");
    return 0;
}

/* The bench of the settings is for octaves, and stays open for the next record. */
static int open_bank(struct measurement *w, const struct bank_kind *kind, const double *samples, size_t frames,
                     struct error *e)
{
    struct metrics_bench *shared = kind == &octaves ? w->settings->bench : NULL;
    w->kind = kind;
    w->bench = shared ? shared : &w->own;
    if (shared && shared->signal[1] && shared->bank.frames == frames && shared->bank.rate == w->m->rate)
        return octave_bank_load(&shared->bank, samples, e);
    if (open_bench(w->bench, samples, frames, w->m->rate, kind->reach, e))
        return -1;
    w->bench->bank.kept = shared && shared->bank.fourier.length <= KEPT_LENGTH;
    return 0;
}

static int measure_octaves(struct measurement *w, const double *samples, size_t frames, struct error *e)
{
    struct metrics *m = w->m;
    int status = open_bank(w, &octaves, samples, frames, e);
    if (!status) {
        status =
            find_arrival(&m->arrival, &w->bench->bank, m->band[METRICS_BROAD].high, m->rate, w->bench->signal[0], e) ||
                    measure_bands(w, m->band, METRICS_BANDS, e)
                ? -1
                : 0;
    }
    clear_bench(&w->own);
    if (status)
        return -1;
    m->swept = !w->settings->noiseless && octaves_are_swept(w->when, METRICS_OCTAVES);
    measure_speech(m);
    stage_average(&m->stage, m->band);
    return 0;
}

/* Third octaves use another bank than octaves: their filters ring three times as long. */
static int measure_thirds(struct measurement *w, const double *samples, size_t frames, struct error *e)
{
    const int status =
        open_bank(w, &thirds, samples, frames, e) || measure_bands(w, w->m->third, METRICS_THIRDS, e) ? -1 : 0;
    clear_bench(&w->own);
    return status;
}

static void begin(struct metrics *m, double rate, const struct metrics_settings *settings)
{
    *m = (struct metrics){.rate = rate, .sti_reason = METRICS_BEYOND};
    metrics_clear_single(m);
    for (size_t k = 0; k < SPEECH_BANDS; k++) {
        m->mti[k] = NAN;
        for (size_t i = 0; i < SPEECH_MODULATIONS; i++)
            m->transfer[k][i] = NAN;
    }
    for (size_t i = 0; settings->curves && i < METRICS_BANDS * settings->curve_points; i++)
        settings->curves[i] = NAN;
    for (size_t i = 0; i < METRICS_OCTAVES; i++)
        m->band[i] = band_octave(i, rate, settings);
    m->band[METRICS_BROAD] = band_broad(rate, settings);
    for (size_t i = 0; i < METRICS_THIRDS; i++)
        m->third[i] = band_third(i, rate, settings);
    stage_begin(&m->stage);
}

static void set_silent(struct metrics *m)
{
    m->arrival = NAN;
    m->sti_reason = METRICS_SILENT;
    for (size_t i = 0; i < METRICS_BANDS; i++)
        if (m->band[i].validity != METRICS_OUTSIDE)
            band_set_reason(&m->band[i], METRICS_SILENT);
    for (size_t i = 0; i < METRICS_THIRDS; i++)
        if (m->third[i].validity != METRICS_OUTSIDE)
            band_set_reason(&m->third[i], METRICS_SILENT);
}

int metrics_measure(struct metrics *m, const double *samples, size_t frames, double rate,
                    const struct metrics_settings *settings, struct error *e)
{
    struct measurement w = {.m = m, .settings = settings};
    for (size_t i = 0; i < METRICS_OCTAVES; i++)
        w.when[i] = (struct octave_time){NAN, NAN};
    begin(m, rate, settings);
    if (!(rate > 0.0 && rate <= METRICS_RATE_MAX))
        return fail(
            e, ERROR_INPUT,
            "a sample rate of %g Hz is not supported (at most %g Hz); correct the header or resample to 48000 Hz", rate,
            METRICS_RATE_MAX);
    if (check_samples(&w, samples, frames, e))
        return -1;
    if (m->band[METRICS_BROAD].validity == METRICS_OUTSIDE)
        return fail(e, ERROR_INPUT, "the valid band of %g to %g Hz contains no band to measure", settings->valid_low,
                    band_valid_high(settings, rate));
    m->end = (double)frames / rate;
    if (!(m->peak > 0.0)) {
        set_silent(m);
        return 0;
    }
    m->clipped = clipping_of(samples, frames);
    const size_t kept = settings->noiseless ? frames : record_end(samples, frames, rate);
    m->end = (double)kept / rate;
    if (measure_octaves(&w, samples, kept, e))
        return -1;
    if (settings->third_octaves && measure_thirds(&w, samples, kept, e))
        return -1;
    m->arrival = fmax(m->arrival - settings->delay, 0.0);
    return 0;
}
