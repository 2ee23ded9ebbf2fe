/* SPDX-License-Identifier: MIT */
/* From taps at the grid rate to the final response: deconvolution, filters, resampling. */
#ifndef AULA_RENDER_RESPONSE_H
#define AULA_RENDER_RESPONSE_H

#include "base/error.h"
#include "dsp/air_filter.h"
#include "render/excitation.h"
#include "room/room.h"

struct traces {
    double *samples; /* [channels][frames], Pa; frame n is the pressure p^n */
    size_t channels, frames;
    double rate; /* Hz, of the grid */
};
void traces_free(struct traces *t);

/* The low-pass of a response. */
struct response_band {
    double pass;     /* Hz: within 0.1 dB up to here; 0: no low-pass */
    double delay[2]; /* s: group delay at 0 Hz and at `pass` */
};

struct response {
    double *samples; /* [channels][frames] */
    size_t channels, frames;
    double rate;    /* Hz, exact; may be a fractional grid rate */
    bool is_filter; /* an impulse response scaled as a filter at `rate`; false: a recorded signal in Pa */
    double scale;   /* factor applied by resampling: grid rate / output rate for a filter, 1 for a signal */
    struct response_band band;
};
void response_free(struct response *r);

/* Cuts or zero-pads to `frames` frames. ERROR_MEMORY leaves the response unchanged. */
int response_set_frames(struct response *r, size_t frames, struct error *e);

struct response_settings {
    enum output_filter filter;
    double valid_frequency;       /* Hz: pass edge of the low-pass, unless the output rate limits it */
    double high_pass;             /* Hz: corner of the high-pass; 0: the drive has it already */
    double output_rate;           /* Hz; 0: the grid rate */
    size_t frames;                /* grid frames of the response from t = 0 */
    const struct air_filter *air; /* at the grid rate, for an impulse response in lossless air; NULL: none */
    bool drifts;                  /* remove the drift of rounding errors from the record */
};

#define RESPONSE_HIGH_PASS 10.0 /* Hz: an offset decays by 60 dB in 0.15 s; -0.2 dB at 63 Hz */

/* Removes the drift of rounding errors from a record, in place. Each rounding error changes the
 * constant pressure of a closed room, which nothing restores, and the field gains an offset and a
 * ramp that no filter of the drive can prevent. The filter has -0.26 dB at 10 Hz and -0.02 dB at 20
 * Hz. It fades in when the high-pass of the drive has settled; earlier, low frequencies are the
 * sound itself, which the filter would only prolong. */
void response_take_drift(double *record, size_t frames, size_t onset, double rate);

/* Steps to run such that the end of the record does not affect the first `frames` frames after t =
 * 0: onset + frames + the length of a sweep to remove + the low-pass's look-ahead + the reach of
 * the resampler. */
size_t response_steps(const struct excitation *x, const struct response_settings *s, double rate);

/* Grid samples by which a linear-phase low-pass rings ahead of each arrival; 0 for other filters. */
size_t response_ringing(const struct response_settings *s, double rate);

/* "minimum phase" or "linear phase, delay removed"; NULL: no filter. */
const char *response_phase(enum output_filter filter);

/* Runs of channels that response_make works on at a time, each with buffers of its own: one for each
 * thread, at most. */
size_t response_runs(size_t channels);

/* The stages, in order:
 *   deconvolution  if the excitation is to be removed
 *   high-pass      two causal first-order sections in series with corner s->high_pass: a double
 *                  zero at 0 Hz, -6 dB at the corner. Computed in double precision ahead of the
 *                  deconvolution (single precision); the order does not matter to linear
 *                  time-invariant stages, but a ramp then costs no accuracy
 *   drift          if s->drifts: response_take_drift
 *   air            for impulse responses; ahead of the low-pass, which spreads an arrival over time
 *   low-pass       Kaiser window, within 0.1 dB up to the valid frequency and at least 80 dB down
 *                  from 1.2 times that; lower if the output rate does not carry the valid band;
 *                  none if 1.2 times the valid frequency reaches half the rate
 *   resampling     from the onset on, to s->output_rate (libsamplerate, best quality, single
 *                  precision); a filter is scaled by grid rate / output rate
 *
 * s->filter: "none" skips high-pass and low-pass. "valid" and "minimum-phase": causal low-pass with
 * delay r->band.delay; only the ringing of the resampler precedes an arrival, 65 dB below the peak,
 * and nothing is cut off at t = 0. "linear-phase": no delay, symmetric ringing, whose part before
 * t = 0 is lost.
 *
 * r->frames = round(s->frames * output rate / grid rate). ERROR_FAILED for traces shorter than
 * response_steps; on failure *r is zero. */
int response_make(struct response *r, const struct traces *t, const struct excitation *x,
                  const struct response_settings *s, struct error *e);

/* Largest magnitude over all channels; NaN if any sample is not finite. */
double response_peak(const struct response *r);

#endif
