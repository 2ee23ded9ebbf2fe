/* SPDX-License-Identifier: MIT */
#include "measure/speech.h"

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

void speech_transfer(const struct energy_decay *d, double m[SPEECH_MODULATIONS])
{
    for (int i = 0; i < SPEECH_MODULATIONS; i++) {
        const double turn = 2.0 * M_PI * speech_modulation[i] / d->rate;
        const double complex step = cexp(-I * turn);
        double complex phase = 1.0, sum = 0.0;
        for (size_t n = d->start; n < d->cut && !stop_requested_at(n); n++) {
            sum += (d->energy[n] - d->noise) * phase;
            phase *= step;
        }
        if (d->fitted) /* tail: a geometric series whose energy is d->tail at no modulation */
            sum += d->tail * -expm1(-d->per_sample) * phase / (1.0 - exp(-d->per_sample) * step);
        m[i] = cabs(sum) / d->total;
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
