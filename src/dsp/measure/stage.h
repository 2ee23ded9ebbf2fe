/* SPDX-License-Identifier: MIT */
/* Stage support: sound that the room returns to a musician at 1 m from the instrument (ISO 3382-1, annex C), theory
 * (101). */
#ifndef AULA_DSP_MEASURE_STAGE_H
#define AULA_DSP_MEASURE_STAGE_H

#include "dsp/measure/energy_decay.h"

void stage_begin(struct metrics_stage *s);

/* Measures an octave, by its index in struct metrics; ignores all but 250 Hz to 2 kHz. */
void stage_measure(struct metrics_stage *s, size_t octave, const struct energy_decay *d);

/* Means in dB over the octaves that are valid, bands[METRICS_BANDS]. */
void stage_average(struct metrics_stage *s, const struct metrics_band *bands);

#endif
