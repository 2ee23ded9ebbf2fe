/* SPDX-License-Identifier: MIT */
/* Speech transmission index with levels, noise, masking and threshold (IEC 60268-16:2011): theory (107). */
#include <math.h>

#include "dsp/measure/metrics.h"
#include "dsp/measure/speech.h"

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
