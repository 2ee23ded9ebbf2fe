/* Stage support: what a musician hears of the own instrument from the room (ISO 3382-1, annex C). */
#ifndef AULA_MEASURE_STAGE_H
#define AULA_MEASURE_STAGE_H

#include "measure/energy_decay.h"

void stage_begin(struct metrics_stage *s);

/* Takes what an octave gives, by its index in struct metrics; others than 250 Hz to 2 kHz give nothing. */
void stage_measure(struct metrics_stage *s, size_t octave, const struct energy_decay *d);

/* Means in dB over the octaves that are valid, bands[METRICS_BANDS]. */
void stage_average(struct metrics_stage *s, const struct metrics_band *bands);

#endif
