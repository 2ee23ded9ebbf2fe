/* SPDX-License-Identifier: MIT */
/* Removes a known excitation from a recording by spectral division, which leaves the impulse response. */
#ifndef AULA_DSP_DECONVOLVE_H
#define AULA_DSP_DECONVOLVE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "dsp/band_filter.h"

struct deconvolver;

/* The excitation signal. */
struct emitted {
    const double *samples; /* [length], gain applied */
    size_t length;
    double low, high; /* Hz: band of the excitation */
    double gain;      /* contained in samples; stays in the result */
};

/* For recordings of `frames` samples. The division is regularised and limited to x->low..x->high with raised-cosine
 * edges of 1/6 octave inside it. Without a causal low-pass the edges have zero phase. With one, the edges and the
 * low-pass together have minimum phase, so an edge above the low-pass adds no delay. A low-pass without taps passes
 * everything. Above the lower edge the phase leads by about 2.2 low/f radians; pre-ringing is 60 dB below the sound.
 * Single precision: errors are 120 dB below the peak. */
int deconvolver_open(struct deconvolver **d, const struct emitted *x, size_t frames, double rate,
                     const struct low_pass *causal, struct error *e);
void deconvolver_close(struct deconvolver *d); /* NULL-safe */

/* recording [frames] -> out [lead + out_frames]: the impulse response at the same rate; out[lead] is `late` samples
 * after the instant of the excitation's first sample. lead + out_frames <= frames. */
void deconvolver_run(struct deconvolver *d, const double *recording, double *out, size_t lead, size_t out_frames,
                     size_t late);

/* Bytes needed to remove a sweep of `length` samples from `frames`, plans of the transform included. */
uint64_t deconvolver_bytes(size_t frames, size_t length);

#endif
