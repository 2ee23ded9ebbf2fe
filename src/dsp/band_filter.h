/* SPDX-License-Identifier: MIT */
/* Offset removal and low-pass filters of responses and of live listening, in double precision. */
#ifndef AULA_DSP_BAND_FILTER_H
#define AULA_DSP_BAND_FILTER_H

#include <stddef.h>

#include "base/error.h"

/* In place, theory (6): two one-pole DC blockers in series, y[n] = g (x[n] - x[n-1]) + r y[n-1], from rest: the
 * bilinear transform of s/(s + w) with its corner at `corner` Hz, r = (1 - tan(pi corner/rate))/(1 + tan(pi
 * corner/rate)), g = (1 + r)/2. The double zero at 0 Hz removes an offset and a ramp, which decay as exp(-2 pi corner
 * t). corner 0: unchanged. */
void high_pass(double *samples, size_t frames, double corner, double rate);

/* high_pass block by block, with its state between blocks. Zeroed: at rest. */
struct high_pass_state {
    double in, middle, out; /* of the last sample */
};
void high_pass_run(struct high_pass_state *s, double *samples, size_t frames, double corner, double rate);

#define LOW_PASS_STOP_RATIO 1.2 /* default stop over pass frequency */

struct low_pass {
    double *taps;  /* [2 half + 1], sum 1; NULL: no filter */
    size_t half;   /* as designed */
    size_t before; /* taps before the sample they belong to: half, or 0 when causal */
};

/* Half length of the symmetric low-pass of this band, in samples. */
size_t low_pass_half_length(double pass, double stop);

/* Kaiser-windowed sinc, symmetric, without delay: within 0.1 dB up to `pass`, 80 dB down from `stop` on, -6 dB
 * half-way; both over the rate, 0 < pass < stop < 0.5. */
int low_pass_between(struct low_pass *f, double pass, double stop, struct error *e);

/* Causal low-pass of minimum phase, 100 dB down from `stop` on. Its response starts 80 dB below its peak, which
 * attenuates numerical dispersion a sample or two ahead of a front by 60 dB. Dispersion grows with distance;
 * docs/science/accuracy.md states the rest. */
int low_pass_causal(struct low_pass *f, double pass, double stop, struct error *e);
#define LOW_PASS_FLOOR 1e-6 /* smallest magnitude of a causal low-pass, for its minimum phase: -120 dB */
void low_pass_free(struct low_pass *f);

/* Group delay in samples at a frequency over the rate. */
double low_pass_delay(const struct low_pass *f, double frequency);

/* out[n] = sum_k taps[before + k] in[first + n - k] for n < out_frames. Samples outside in[0..frames) count as zero. in
 * and out do not overlap. */
void low_pass_apply(const struct low_pass *f, const double *in, size_t frames, size_t first, double *out,
                    size_t out_frames);

/* Two Butterworth high-passes. The steep one separates the decay in a band from ringing below it; the other one removes
 * the drift due to rounding. */

/* In place, from rest: Butterworth of eighth order by the bilinear transform, -3 dB at `corner` Hz, 48 dB per octave
 * below; 0 < corner < rate/2. Its own ringing decays by 60 dB within 6 / corner seconds. */
void steep_high_pass(double *samples, size_t frames, double corner, double rate);

/* In place, (1 - w) x + H(w x): Butterworth of second order, -3 dB at `corner` Hz, whose double zero at 0 Hz removes an
 * offset and a ramp, applied to the part that a raised cosine w fades in between samples fade[0] and fade[1]. Earlier samples
 * keep their bits. A filter without the fade would respond to the step with a slow transient. */
void drift_high_pass(double *samples, size_t frames, const size_t fade[2], double corner, double rate);

#endif
