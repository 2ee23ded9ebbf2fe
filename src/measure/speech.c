#include "measure/speech.h"

#include <complex.h>
#include <math.h>

const double speech_modulation[SPEECH_MODULATIONS] = {0.63, 0.8, 1.0, 1.25, 1.6, 2.0,  2.5,
                                                      3.15, 4.0, 5.0, 6.3,  8.0, 10.0, 12.5};

/* IEC 60268-16:2011, table A.3, male speech: octave weights and redundancy between neighbours. */
static const double weight[SPEECH_BANDS] = {0.085, 0.127, 0.230, 0.233, 0.309, 0.224, 0.173};
static const double redundancy[SPEECH_BANDS - 1] = {0.085, 0.078, 0.065, 0.011, 0.047, 0.095};

void speech_transfer(const struct energy_decay *d, double m[SPEECH_MODULATIONS])
{
    for (int i = 0; i < SPEECH_MODULATIONS; i++) {
        const double turn = 2.0 * M_PI * speech_modulation[i] / d->rate;
        const double complex step = cexp(-I * turn);
        double complex phase = 1.0, sum = 0.0;
        for (size_t n = d->start; n < d->cut; n++) {
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
        const double held = fmin(fmax(m[i], 1e-9), 1.0 - 1e-9);
        const double ratio = 10.0 * log10(held / (1.0 - held));
        sum += (fmin(fmax(ratio, -15.0), 15.0) + 15.0) / 30.0;
    }
    return sum / SPEECH_MODULATIONS;
}

double speech_index(const double band[SPEECH_BANDS])
{
    double sum = 0.0;
    for (int k = 0; k < SPEECH_BANDS; k++)
        sum += weight[k] * band[k];
    for (int k = 0; k + 1 < SPEECH_BANDS; k++)
        sum -= redundancy[k] * sqrt(band[k] * band[k + 1]);
    return fmin(fmax(sum, 0.0), 1.0);
}
