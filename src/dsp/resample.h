/* SPDX-License-Identifier: MIT */
/* Sample rate conversion by libsamplerate, whose arithmetic is single precision (about -140 dB of error). */
#ifndef AULA_DSP_RESAMPLE_H
#define AULA_DSP_RESAMPLE_H

#include <stddef.h>

#include "base/error.h"

/* Output length: round(frames * rate_out / rate_in), at least 1 when frames >= 1. */
size_t resample_frames(size_t frames, double rate_in, double rate_out);

/* Input frames on each side that influence an output frame; 0 for equal rates. */
size_t resample_reach(double rate_in, double rate_out);

/* Converts `frames` samples of one channel from rate_in to rate_out (Hz, need not be whole) into fresh memory; sample 0
 * stays at t = 0; *out_frames = resample_frames(...). Samples outside count as zero. Equal rates copy in full
 * precision. No scaling: a recorded signal keeps its level. ERROR_INPUT, with a remedy, for ratios beyond
 * libsamplerate's 1/256..256; ERROR_FAILED for samples that are not finite; ERROR_MEMORY before more is allocated than
 * is available; ERROR_STOPPED. On failure *out is NULL. */
int resample(double **out, size_t *out_frames, const double *in, size_t frames, double rate_in, double rate_out,
             struct error *e);

/* Converts several channels, out[channels] of resample_frames each, with the same bits as resample. They share the
 * interpolation of the filter, so four cost hardly more than one. */
enum { RESAMPLE_TOGETHER = 4 };
int resample_together(double *const *out, const double *const *in, size_t channels, size_t frames, double rate_in,
                      double rate_out, struct error *e);

#endif
