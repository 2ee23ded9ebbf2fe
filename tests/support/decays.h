/* SPDX-License-Identifier: MIT */
/* Decays with known figures, for tests of what measures them. */
#ifndef AULA_TESTS_DECAYS_H
#define AULA_TESTS_DECAYS_H

#include <stddef.h>

#include "base/random.h"
#include "dsp/measure/metrics.h"

/* Energy that decays as a exp(-13.8 t/first) + (1 - a) exp(-13.8 t/second). */
struct slopes {
    double share, first, second; /* a; s; s */
};

/* Expected figures in closed form; times by a straight line through the closed-form decay curve. */
struct known {
    double edt, t20, t30, c50, c80, d50, ts;
};
struct known slopes_known(const struct slopes *s);
/* The same figures by plain sums over the samples of a decay that ends within them; `arrival` in s. */
struct known samples_known(const double *samples, size_t frames, double rate, double arrival);

/* samples[frames] += a tone with this energy, from sample `start` on, faded in over `rise` s. A tone that starts
 * abruptly extends beyond one octave. */
void add_tone(double *samples, size_t frames, double rate, size_t start, double frequency, double phase, double rise,
              const struct slopes *s);
/* samples[frames] += Gaussian noise of variance 1 at `start`, decaying. */
void add_noise_decay(double *samples, size_t frames, double rate, size_t start, const struct slopes *s,
                     struct random *r);
/* samples[frames] += steady Gaussian noise `level` dB above variance 1. */
void add_noise_floor(double *samples, size_t frames, double level, struct random *r);

/* Fails the test where measuring fails. */
struct metrics metrics_of(const double *samples, size_t frames, double rate, const struct metrics_settings *settings);

#endif
