/* Partials of a recorded sound: how high, and how fast they fade. */
#ifndef AULA_VALIDATE_PARTIAL_H
#define AULA_VALIDATE_PARTIAL_H

#include <stddef.h>

struct partial {
    double frequency; /* Hz */
    double sigma;     /* 1/s: the amplitude falls as exp(-sigma t) */
};

/* The strongest partial between `low` and `high` (Hz) of samples [count] at `rate` Hz: the phase and the level of two
 * frames of three fifths of the record, its beginning and its end, at one frequency that is moved until they agree. What
 * else sounds is to be 4/0.6 periods of the record away, from where it is 92 dB down (Blackman and Harris' window). A
 * partial that fades exponentially is found exactly. */
struct partial partial_find(const double *samples, size_t count, double rate, double low, double high);

/* The second difference in place: no partial's pitch or decay changes, high ones come forward, an offset and a drift
 * disappear. The first two samples become 0. */
void partial_brighten(double *samples, size_t count);

#endif
