/* SPDX-License-Identifier: MIT */
/* Tells the record of a sweep from an impulse response: its octaves sound one after another. */
#ifndef AULA_DSP_MEASURE_SWEEP_H
#define AULA_DSP_MEASURE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

/* When an octave sounds. */
struct octave_time {
    double mean, deviation; /* s; NaN: not measured */
};

/* energy[frames]: squares of the octave. */
struct octave_time octave_time_of(const double *energy, size_t frames, double rate);

/* Whether five octaves in a row sound one after another, up or down, over 0.2 s or more: the octaves of a response begin
 * together, and the lag of a loudspeaker is shorter. */
bool octaves_are_swept(const struct octave_time *octaves, size_t count);

#endif
