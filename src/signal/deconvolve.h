/* Taking a known excitation out of a recording by division of spectra. */
#ifndef AULA_SIGNAL_DECONVOLVE_H
#define AULA_SIGNAL_DECONVOLVE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "signal/band_filter.h"
#include "signal/excitation.h"

struct deconvolver;

/* Prepares for recordings of `frames` samples; the division is regularised and limited to x->low..x->high with
 * raised-cosine edges of 1/6 octave inside that band, the gain of x left in the result. The edges have no phase of their
 * own, or, given the causal low-pass that the result will go through, the phase that makes both together a filter of
 * minimum phase: an edge beyond what the low-pass keeps then delays nothing. A low-pass without taps passes everything.
 * Above the lower edge that is a lead of some 2.2 low/f radians; what still comes before a sound is 60 dB below it.
 * The transforms are KissFFT's, in single precision: errors lie some 120 dB below the peak. */
int deconvolver_open(struct deconvolver **d, const struct excitation *x, size_t frames, double rate,
                     const struct low_pass *causal, struct error *e);
void deconvolver_close(struct deconvolver *d); /* NULL-safe */

/* recording [frames] -> out [lead + out_frames]: the impulse response at the same rate, out[lead] being the instant of
 * the excitation's first sample. lead + out_frames may be at most `frames`. */
void deconvolver_run(struct deconvolver *d, const double *recording, double *out, size_t lead, size_t out_frames);

/* Bytes that taking a sweep of `length` samples out of `frames` holds, plans of the transform included. */
uint64_t deconvolver_bytes(size_t frames, size_t length);

#endif
