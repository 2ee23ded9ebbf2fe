/* SPDX-License-Identifier: MIT */
/* Frequency and decay of partials of a recorded sound. */
#ifndef AULA_VALIDATE_BODIES_PARTIAL_H
#define AULA_VALIDATE_BODIES_PARTIAL_H

#include <stddef.h>

struct partial {
    double frequency; /* Hz */
    double sigma;     /* 1/s: the amplitude falls as exp(-sigma t) */
};

/* The strongest partial between `low` and `high` (Hz) of samples [count] at `rate` Hz: from phase and level of two
 * frames of three fifths of the record, at its beginning and its end, at a frequency iterated until they agree. Other
 * partials must be at least 4/0.6 periods of the record away, where the Blackman-Harris window is 92 dB down. An
 * exponentially decaying partial is found exactly. */
struct partial partial_find(const double *samples, size_t count, double rate, double low, double high);

/* Takes the second difference in place: keeps each partial's pitch and decay, emphasises high ones, removes offset and
 * drift. The first two samples become 0. */
void partial_brighten(double *samples, size_t count);

#endif
