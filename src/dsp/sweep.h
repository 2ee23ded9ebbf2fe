/* SPDX-License-Identifier: MIT */
/* Exponential sweeps (Farina, "Simultaneous measurement of impulse response and distortion with a swept-sine technique",
 * 108th AES Convention, 2000), and what a recording of one says.
 *
 *     x(t) = level sin(2 pi low L (e^(t/L) - 1)),  L = seconds/ln(high/low)
 *
 * The frequency low e^(t/L) grows by a constant factor per second, so every octave has the same energy and lasts
 * L ln 2. The nth harmonic of a distorted sweep is the same sweep, L ln n earlier. */
#ifndef AULA_DSP_SWEEP_H
#define AULA_DSP_SWEEP_H

#include <stddef.h>

#include "base/error.h"

struct sweep {
    double low, high; /* Hz */
    double seconds;   /* from low to high */
    double level;     /* amplitude; full scale is 1 */
    double rate;      /* Hz */
};

/* ERROR_USAGE unless 1 Hz <= low, 2 low <= high <= rate/2 and 0.1 s <= seconds <= 600 s. */
int sweep_check(const struct sweep *s, struct error *e);

/* L, in s. */
double sweep_constant(const struct sweep *s);

size_t sweep_frames(const struct sweep *s);

/* samples: [sweep_frames(s)]. Raised-cosine fades of two periods of `low` and of 5 ms, or a twentieth of the sweep where
 * that is shorter, keep it from clicking. ERROR_STOPPED. */
int sweep_make(double *samples, const struct sweep *s, struct error *e);

/* Finds the sweep that samples [frames] hold, with silence before and after it, by its group delay L ln(f/low), and the
 * index of its first sample. ERROR_INPUT, with `name`, if they are no single exponential sweep. */
int sweep_recognise(struct sweep *s, size_t *first, const double *samples, size_t frames, double rate, const char *name,
                    struct error *e);

/* ---- Deconvolution ---- */

struct sweep_inverse;

/* For recordings of `frames` samples of the sweep x [length], which s describes. Divides spectra,
 * conj(X)/(|X|^2 + r P): P = (level rate)^2 L/(4 f) is the power of the sweep in its stationary phase (held at its
 * value at the nearer edge outside the band), and r = 1e-9 within the band, growing to 1 at 1/6 octave outside it. The
 * quotient is at most 2/sqrt(P) outside the band, so that noise beside it does not hide the response.
 * The transform is at least as long as recording and sweep together. Double precision. ERROR_MEMORY, ERROR_STOPPED. */
int sweep_inverse_open(struct sweep_inverse **inverse, const struct sweep *s, const double *x, size_t length,
                       size_t frames, struct error *e);
void sweep_inverse_close(struct sweep_inverse *inverse); /* NULL-safe */

/* Length of a response: at least frames + length. */
size_t sweep_inverse_length(const struct sweep_inverse *inverse);

/* recording: [frames]; response: [sweep_inverse_length], periodic: index n is n samples after the sweep began, and
 * instants before that, with the harmonics, are at the end. It is recording over sweep, without unit. ERROR_STOPPED. */
int sweep_inverse_run(struct sweep_inverse *inverse, const double *recording, double *response, struct error *e);

/* ---- Distortion ---- */

enum { SWEEP_ORDERS = 5 };

struct sweep_distortion {
    double level[SWEEP_ORDERS + 1]; /* dB: energy of harmonic n, [n] for n from 2, over that of the linear response in
                                       the same band, n low to high; NaN: not in the band or not separable */
    double floor[SWEEP_ORDERS + 1]; /* dB: the same of the noise; NaN: unknown */
};

/* response: [length] from sweep_inverse_run, with the direct sound at index `direct`. `end`: index at which it no longer
 * contains all of the band (frames - length of the sweep); the noise is taken before it. A memoryless distortion in
 * front of a linear room gives the ratios of its own harmonics: a1 x + a2 x^2 + a3 x^3 has a2 A/2 and a3 A^2/4 over
 * a1 + 3 a3 A^2/4. */
int sweep_distortion_find(struct sweep_distortion *d, const struct sweep *s, const double *response, size_t length,
                          size_t direct, size_t end, struct error *e);

/* ---- Levels by octave ---- */

enum { SWEEP_OCTAVES = 10 }; /* 31.5 Hz to 16 kHz */

/* Centre of an octave: 1000 2^(band - 5) Hz. */
double sweep_octave(size_t band);

/* Mean square of samples [frames] in each octave, by a Hann window; NaN beyond half the rate. */
int sweep_noise_levels(double power[SWEEP_OCTAVES], const double *samples, size_t frames, double rate, struct error *e);

/* Mean square of a recorded sweep in each octave while the sweep is in it; NaN where the octave is not within the
 * sweep. Noise counts for the length of the recording, so subtract it: noise frames/(rate L ln 2). */
int sweep_signal_levels(double power[SWEEP_OCTAVES], const struct sweep *s, const double *recording, size_t frames,
                        struct error *e);

#endif
