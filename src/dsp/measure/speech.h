/* SPDX-License-Identifier: MIT */
/* Speech transmission index by the indirect method of IEC 60268-16. */
#ifndef AULA_DSP_MEASURE_SPEECH_H
#define AULA_DSP_MEASURE_SPEECH_H

#include "dsp/measure/energy_decay.h"

/* m[i]: modulation transfer of one octave band at speech_modulation[i] (Schroeder, Acustica 49 (1981) 179), theory
 * (104): |Σ p2 exp(-2 pi i F t)| / Σ p2, without the noise and with the extrapolated tail. Incomplete once a stop is
 * requested. */
void speech_transfer(const struct energy_decay *d, double m[SPEECH_MODULATIONS]);

/* Modulation transfer index of one band, 0..1, theory (105): mean of (SNR + 15)/30 with SNR = 10 log10(m/(1 - m))
 * within 15 dB. */
double speech_band_index(const double m[SPEECH_MODULATIONS]);

/* Why there is no index for this voice: METRICS_NONE when all octaves of nonzero weight were measured and are valid. */
enum metrics_reason speech_reason(const struct metrics *m, enum metrics_voice voice);

/* The index from those of the octaves 125 Hz to 8 kHz, with the male weights of editions 4 and 5. */
double speech_index(const double band[SPEECH_BANDS]);

#endif
