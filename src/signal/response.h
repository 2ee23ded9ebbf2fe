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

/* The low-pass that a response went through. */
struct response_band {
    double pass;     /* Hz: within 0.1 dB up to here; 0: there was none */
    double delay[2]; /* s: by how much sound of 0 Hz and of `pass` Hz is late */
};

struct response {
    double *samples; /* [channels][frames] */
    size_t channels, frames;
    double rate;    /* Hz, exact; 44100.0, or a grid rate that need not be whole */
    bool is_filter; /* an impulse response scaled as a filter at `rate`; else a recorded signal in Pa */
    double scale;   /* applied by resampling: grid rate / output rate for a filter, 1 for a signal */
    struct response_band band;
};
void response_free(struct response *r);

struct response_settings {
    enum output_filter filter;
    double valid_frequency;       /* Hz: the low-pass passes up to here, or to what the output rate carries */
    double high_pass;             /* Hz: corner of the offset removal; 0: it went through the drive */
    double output_rate;           /* Hz; 0: the grid rate */
    size_t frames;                /* grid frames from t = 0 that make up the response */
    const struct air_filter *air; /* at the grid rate, for an impulse response of lossless air; NULL: none */
};

#define RESPONSE_HIGH_PASS 10.0 /* Hz: two sections let the offset die by 60 dB in 0.15 s, and cost 0.2 dB at 63 Hz */

/* Steps the solver has to run so that the last of `frames` frames after t = 0 is not touched by the end of the record:
 * onset + frames + the sweep's length where it is taken out + what the low-pass looks ahead + the reach of the resampler. */
size_t response_steps(const struct excitation *x, const struct response_settings *s, double rate);

/* Grid samples by which a low-pass of linear phase rings before each arrival; 0 for the other filters. */
size_t response_ringing(const struct response_settings *s, double rate);

/* "minimum phase" or "linear phase, delay taken out"; NULL where nothing is filtered. */
const char *response_phase(enum output_filter filter);

/* The order: take the excitation out; high-pass (two first-order sections in series, causal, corner s->high_pass each:
 * a double zero at 0 Hz removes an offset and a ramp; together -6 dB at the corner); what the air takes, when this is
 * an impulse response (before the low-pass, while an arrival still is where its time says: the low-pass spreads it over
 * times of more and of less absorption); low-pass (Kaiser window, at least 80 dB down from 1.2 times the valid frequency
 * on, within 0.1 dB up to it; left out where 1.2 times the valid frequency is half the rate or more; it ends lower where
 * the output rate does not carry the valid band); drop what lies before the onset; resample to s->output_rate (libsamplerate, best quality, single precision inside), scaled by grid rate / output rate when the
 * response is a filter. filter "none" skips high-pass and low-pass. "valid" and
 * "minimum-phase" make the low-pass causal, so that nothing comes before an arrival (65 dB below the peak is what
 * remains of the resampler's ringing) and nothing is cut off at t = 0 however early the direct sound is; it is late by
 * r->band.delay. "linear-phase" delays nothing, rings before each arrival as after it, and loses what of that lies before
 * t = 0. High-pass and taking out are
 * linear and time-invariant, so the high-pass, which is computed in double, in fact runs before the sweep is taken out in single precision: a ramp then costs no
 * accuracy. r->frames = round(s->frames * output rate / grid rate). Traces shorter than response_steps are
 * ERROR_FAILED; on failure *r is zero. */
int response_make(struct response *r, const struct traces *t, const struct excitation *x,
                  const struct response_settings *s, struct error *e);

/* Largest magnitude over all channels. NaN when any sample is not finite. */
double response_peak(const struct response *r);

#endif
