/* From taps at the grid rate to the response that is written: excitation taken out where asked, band filter,
 * resampling. */
#ifndef AULA_SIGNAL_RESPONSE_H
#define AULA_SIGNAL_RESPONSE_H

#include "base/error.h"
#include "room/room.h"
#include "signal/air_filter.h"
#include "signal/excitation.h"

/* What the solver recorded. */
struct traces {
    double *samples; /* [channels][frames], Pa; frame n is the pressure p^n */
    size_t channels, frames;
    double rate; /* Hz, of the grid */
};
void traces_free(struct traces *t);

struct response {
    double *samples; /* [channels][frames] */
    size_t channels, frames;
    double rate;    /* Hz, exact; 44100.0, or a grid rate that need not be whole */
    bool is_filter; /* an impulse response scaled as a filter at `rate`; else a recorded signal in Pa */
    double scale;   /* applied by resampling: grid rate / output rate for a filter, 1 for a signal */
};
void response_free(struct response *r);

struct response_settings {
    enum output_filter filter;
    double valid_frequency;       /* Hz: the low-pass passes up to here */
    double high_pass;             /* Hz: corner of the offset removal; 0: it went through the drive */
    double output_rate;           /* Hz; 0: the grid rate */
    size_t frames;                /* grid frames from t = 0 that make up the response */
    const struct air_filter *air; /* at the grid rate, for an impulse response of lossless air; NULL: none */
};

#define RESPONSE_HIGH_PASS 10.0 /* Hz: two sections let the offset die by 60 dB in 0.15 s, and cost 0.2 dB at 63 Hz */

/* Steps the solver has to run so that the last of `frames` frames after t = 0 is not touched by the end of the record:
 * onset + frames + the sweep's length where it is taken out + half the band filter + the reach of the resampler and,
 * for an impulse response, of the air's filter. */
size_t response_steps(const struct excitation *x, const struct response_settings *s, double rate);

/* The order: take the excitation out; high-pass (two first-order sections in series, causal, corner s->high_pass each:
 * a double zero at 0 Hz removes an offset and a ramp; together -6 dB at the corner); what the air takes, when this is
 * an impulse response (before the low-pass, while an arrival still is where its time says: the low-pass spreads it over
 * times of more and of less absorption); low-pass (linear phase, Kaiser
 * window, at least 80 dB down from 1.2 times the valid frequency on, within 0.1 dB up to it, its delay taken out; left
 * out where 1.2 times the valid frequency is half the rate or more); drop what lies before the onset; resample to
 * s->output_rate (libsamplerate, best quality, single precision inside), scaled by grid rate / output rate when the
 * response is a filter. filter "none" skips high-pass and low-pass. High-pass and taking out are
 * linear and time-invariant, so the high-pass, which is computed in double, in fact runs before the sweep is taken out in single precision: a ramp then costs no
 * accuracy. r->frames = round(s->frames * output rate / grid rate). Traces shorter than response_steps are
 * ERROR_FAILED; on failure *r is zero. */
int response_make(struct response *r, const struct traces *t, const struct excitation *x,
                  const struct response_settings *s, struct error *e);

/* Largest magnitude over all channels. NaN when any sample is not finite. */
double response_peak(const struct response *r);

#endif
