/* SPDX-License-Identifier: MIT */
/* One band of a response: its edges and the parameters of its decay. */
#ifndef AULA_DSP_MEASURE_BAND_H
#define AULA_DSP_MEASURE_BAND_H

#include "dsp/measure/energy_decay.h"

/* Pa at 10 m in free field from a source of unit strength: 1/(4 pi 10). */
#define BAND_REFERENCE (1.0 / (40.0 * 3.14159265358979323846))

/* Bands by index with their validity, without parameters. Octaves lie between centre/sqrt 2 and centre sqrt 2, the centres
 * of third octaves at 1000 10^(n/10) Hz (IEC 61260-1); `centre` is the nominal frequency. */
struct metrics_band band_octave(size_t index, double rate, const struct metrics_settings *s);
struct metrics_band band_broad(double rate, const struct metrics_settings *s);
struct metrics_band band_third(size_t index, double rate, const struct metrics_settings *s);

/* Hz: upper end of the valid band. */
double band_valid_high(const struct metrics_settings *s, double rate);

/* Hz: bandwidth that determines the ringing of a band; for broad band, that of its lower edge. */
double band_width(const struct metrics_band *b);

void band_set_reason(struct metrics_band *b, enum metrics_reason reason);

/* Computes the parameters, theory (95) to (100), or the reasons of missing ones, from a decay after energy_decay_fit.
 * filter_energy: Σ h² of the band's filter; arrival: s from the first sample of the record. Returns whether there are
 * any. */
bool band_measure(struct metrics_band *b, const struct energy_decay *d, double filter_energy, double arrival,
                  const struct metrics_settings *s);

/* dB; NaN when it is not finite. */
double band_ratio_level(double one, double other);

#endif
