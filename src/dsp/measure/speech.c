/* SPDX-License-Identifier: MIT */
#include "dsp/measure/speech.h"

#include <complex.h>
#include <math.h>

#include "base/stop.h"
#include "dsp/measure/metrics.h"

/* Hz */
static const double speech_modulation[SPEECH_MODULATIONS] = {0.63, 0.8, 1.0, 1.25, 1.6, 2.0,  2.5,
                                                             3.15, 4.0, 5.0, 6.3,  8.0, 10.0, 12.5};

/* IEC 60268-16:2011, table A.3: octave weights and redundancy between neighbours. */
static const double weight[METRICS_VOICES][SPEECH_BANDS] = {
    [METRICS_MALE] = {0.085, 0.127, 0.230, 0.233, 0.309, 0.224, 0.173},
    [METRICS_FEMALE] = {0.0, 0.117, 0.223, 0.216, 0.328, 0.250, 0.194},
};
static const double redundancy[METRICS_VOICES][SPEECH_BANDS - 1] = {
    [METRICS_MALE] = {0.085, 0.078, 0.065, 0.011, 0.047, 0.095},
    [METRICS_FEMALE] = {0.0, 0.099, 0.066, 0.062, 0.025, 0.076},
};

/* The modulations turn side by side: each step of one waits for the step before it. */
void speech_transfer(const struct energy_decay *d, double m[SPEECH_MODULATIONS])
{
    double complex step[SPEECH_MODULATIONS];
    double turn[2][SPEECH_MODULATIONS], phase[2][SPEECH_MODULATIONS], sum[2][SPEECH_MODULATIONS] = {{0.0}};
    for (int i = 0; i < SPEECH_MODULATIONS; i++) {
        step[i] = cexp(-I * (2.0 * M_PI * speech_modulation[i] / d->rate));
        turn[0][i] = creal(step[i]);
        turn[1][i] = cimag(step[i]);
        phase[0][i] = 1.0;
        phase[1][i] = 0.0;
    }
    for (size_t n = d->start; n < d->cut && !stop_requested_at(n); n++) {
        const double energy = d->energy[n] - d->noise;
        for (int i = 0; i < SPEECH_MODULATIONS; i++) {
            const double re = phase[0][i], im = phase[1][i];
            sum[0][i] += energy * re;
            sum[1][i] += energy * im;
            phase[0][i] = re * turn[0][i] - im * turn[1][i];
            phase[1][i] = re * turn[1][i] + im * turn[0][i];
        }
    }
    for (int i = 0; i < SPEECH_MODULATIONS; i++) {
        double complex all = sum[0][i] + I * sum[1][i];
        if (d->fitted) /* tail: a geometric series whose energy is d->tail at no modulation */
            all += d->tail * -expm1(-d->per_sample) * (phase[0][i] + I * phase[1][i]) /
                   (1.0 - exp(-d->per_sample) * step[i]);
        m[i] = cabs(all) / d->total;
    }
}

double speech_band_index(const double m[SPEECH_MODULATIONS])
{
    double sum = 0.0;
    for (int i = 0; i < SPEECH_MODULATIONS; i++) {
        const double clamped = fmin(fmax(m[i], 1e-9), 1.0 - 1e-9);
        const double ratio = 10.0 * log10(clamped / (1.0 - clamped));
        sum += (fmin(fmax(ratio, -15.0), 15.0) + 15.0) / 30.0;
    }
    return sum / SPEECH_MODULATIONS;
}

static int first_band(enum metrics_voice voice)
{
    return voice == METRICS_FEMALE ? 1 : 0;
}

/* theory (106): the index from those of the octaves 125 Hz to 8 kHz; the first may be NaN for a female voice. */
static double speech_index_of(const double band[SPEECH_BANDS], enum metrics_voice voice)
{
    double sum = 0.0;
    for (int k = first_band(voice); k < SPEECH_BANDS; k++)
        sum += weight[voice][k] * band[k];
    for (int k = first_band(voice); k + 1 < SPEECH_BANDS; k++)
        sum -= redundancy[voice][k] * sqrt(band[k] * band[k + 1]);
    return fmin(fmax(sum, 0.0), 1.0);
}

double speech_index(const double band[SPEECH_BANDS])
{
    return speech_index_of(band, METRICS_MALE);
}

enum metrics_reason speech_reason(const struct metrics *m, enum metrics_voice voice)
{
    const struct metrics_band *octave = &m->band[1];
    for (int k = first_band(voice); k < SPEECH_BANDS; k++)
        if (octave[k].validity != METRICS_VALID)
            return METRICS_BEYOND;
    for (int k = first_band(voice); k < SPEECH_BANDS; k++)
        if (octave[k].reason)
            return octave[k].reason;
    return METRICS_NONE;
}

/* Speech transmission index with levels, noise, masking and threshold (IEC 60268-16:2011): theory (107). */

/* Octave levels of speech whose A-weighted level is 0 dB, 125 Hz to 8 kHz; no female speech at 125 Hz. */
static const double spectrum[METRICS_VOICES][SPEECH_BANDS] = {
    [METRICS_MALE] = {2.9, 2.9, -0.8, -6.8, -12.8, -18.8, -24.8},
    [METRICS_FEMALE] = {-INFINITY, 5.3, -1.9, -9.1, -15.8, -16.7, -18.0},
};

/* Reception threshold of speech, dB by octave. */
static const double threshold[SPEECH_BANDS] = {46.0, 27.0, 12.0, 6.5, 7.5, 8.0, 12.0};

static double intensity(double level)
{
    return pow(10.0, 0.1 * level);
}

void metrics_speech_spectrum(double octave[SPEECH_BANDS], enum metrics_voice voice, double level)
{
    for (int k = 0; k < SPEECH_BANDS; k++)
        octave[k] = level + spectrum[voice][k];
}

/* dB re its level of the masking by a sound of `level` dB in the next octave up. */
static double masking_slope(double level)
{
    if (level < 63.0)
        return 0.5 * level - 65.0;
    if (level < 67.0)
        return 1.8 * level - 146.9;
    return level < 100.0 ? 0.5 * level - 59.8 : -10.0;
}

/* dB: masking level in octave k by speech and noise of the octave below. */
static double masked_below(const struct metrics_speech *s, int k)
{
    if (!k)
        return -INFINITY;
    const double below = 10.0 * log10(intensity(s->speech[k - 1]) + intensity(s->noise[k - 1]));
    return below > -INFINITY ? below + masking_slope(below) : -INFINITY;
}

static enum metrics_reason take_levels(struct metrics_speech *s, const struct metrics *m,
                                       const struct metrics_conditions *c)
{
    for (int k = 0; k < SPEECH_BANDS; k++) {
        /* strength is relative to the level at 10 m, 20 dB below that at 1 m */
        const double carried = c->at_one_metre ? m->band[k + 1].g - 20.0 : 0.0;
        s->noise[k] = c->noise[k];
        s->speech[k] = c->speech[k] > -INFINITY ? c->speech[k] + carried : -INFINITY;
        if (isnan(s->speech[k]))
            return METRICS_LEVEL;
    }
    for (int k = 0; k < SPEECH_BANDS; k++)
        s->masking[k] = c->unmasked ? -INFINITY : masked_below(s, k);
    return METRICS_NONE;
}

void metrics_speech(struct metrics_speech *s, const struct metrics *m, const struct metrics_conditions *c)
{
    *s = (struct metrics_speech){.sti = NAN, .reason = speech_reason(m, c->voice)};
    for (int k = 0; k < SPEECH_BANDS; k++)
        s->mti[k] = s->speech[k] = s->noise[k] = s->masking[k] = NAN;
    if (!s->reason)
        s->reason = take_levels(s, m, c);
    if (s->reason)
        return;
    for (int k = 0; k < SPEECH_BANDS; k++) {
        double transfer[SPEECH_MODULATIONS];
        const double speech = intensity(s->speech[k]);
        const double ear = intensity(s->masking[k]) + (c->unmasked ? 0.0 : intensity(threshold[k]));
        const double share = speech > 0.0 ? speech / (speech + intensity(s->noise[k]) + ear) : 0.0;
        for (int i = 0; i < SPEECH_MODULATIONS; i++)
            transfer[i] = share * m->transfer[k][i];
        s->mti[k] = speech_band_index(transfer);
    }
    if (c->voice == METRICS_FEMALE)
        s->mti[0] = NAN; /* its weight is 0, and it may not have been measured */
    s->sti = speech_index_of(s->mti, c->voice);
}
