/* SPDX-License-Identifier: MIT */
#include "dsp/measure/speech.h"

#include <complex.h>
#include <math.h>

#include "base/stop.h"

const double speech_modulation[SPEECH_MODULATIONS] = {0.63, 0.8, 1.0, 1.25, 1.6, 2.0,  2.5,
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

double speech_index_of(const double band[SPEECH_BANDS], enum metrics_voice voice)
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
