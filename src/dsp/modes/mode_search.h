/* SPDX-License-Identifier: MIT */
/* The modes of a room from its impulse responses: damped exponentials, band by band. */
#ifndef AULA_DSP_MODES_MODE_SEARCH_H
#define AULA_DSP_MODES_MODE_SEARCH_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Responses from the end of the excitation on, so that they are sums of exponentials. */
struct mode_records {
    const double *samples; /* [places][frames] */
    size_t places, frames;
    double rate; /* Hz */
};

struct mode_wish {
    double low, high;                                       /* Hz: the range */
    double (*count)(const void *context, double frequency); /* modes expected below a frequency: Weyl's count */
    const void *context;
    double guard; /* Hz: width of the filters' edges, at least; their length is 10 / guard seconds */
};

/* The mode A_p e^{-decay t} cos(2π frequency t + phase): A_p e^{j phase} = amplitudes[place] at the first frame. */
struct found_mode {
    double frequency;           /* Hz, of the record */
    double decay;               /* 1/s; T60 = 3 ln 10 / decay */
    double complex *amplitudes; /* [places] */
    double strength;            /* the largest |amplitude| / decay: steady pressure at resonance, in proportion */
    double largest;             /* the largest |amplitude| */
    size_t band;
};

struct mode_band {
    double low, high; /* Hz */
    double expected;  /* modes, by `count` */
    size_t found;
    double residual; /* norm of what the modes leave over that of the record */
    bool resolved;
};

struct mode_list {
    struct found_mode *modes; /* [count], by frequency */
    size_t count;
    struct mode_band *bands; /* [band_count] */
    size_t band_count;
    size_t places;
};

#define MODE_WEAKEST (-60.0)  /* dB re the strongest: weaker ones are left out */
#define MODE_RESIDUAL (-60.0) /* dB: a band that leaves more is not resolved */
#define MODE_OVERLAP 4.5      /* modes within the half-power width of one: more cannot be told apart */

/* Splits the range into bands of about MODE_BAND_MODES expected modes, and finds the poles of each by ESPRIT
 * (dsp/modes/damped.h) in the records shifted to 0 Hz and decimated (dsp/modes/band_record.h), with an order of 3 times
 * the modes expected in the band and its edges. A band is not resolved if it leaves more than MODE_RESIDUAL, if more than
 * MODE_OVERLAP modes overlap, or if it has fewer modes than expected by more than a quarter and 3. ERROR_INPUT if the records are too short; ERROR_MEMORY,
 * ERROR_FAILED, ERROR_STOPPED. Zero *list first; call mode_list_free also after an error. */
enum { MODE_BAND_MODES = 10 };
int mode_search(struct mode_list *list, const struct mode_records *r, const struct mode_wish *w, struct error *e);
void mode_list_free(struct mode_list *list);

/* s: the shortest record that leaves `seconds` of each decimated band. */
double mode_record_length(double guard, double low, double seconds);

#endif
