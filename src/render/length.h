/* SPDX-License-Identifier: MIT */
/* Length of a response: as the room file says or, with time.duration = "auto", from its decay.
 *
 * The first estimate is the largest Eyring T60 in the valid band, counted from the end of the
 * sources and the arrival of the direct sound at all receivers, rounded up to tenths of a second.
 * It grows by a quarter until, at every receiver, the backward-integrated energy from 63 Hz to the
 * end of the valid band ends at least 60 dB down, and the energy of rays in each octave above, or
 * until time.max_duration. The raw field (output.filter = "none") has an offset that does not
 * decay; its first estimate is final. The length does not depend on the engine. */
#ifndef AULA_RENDER_LENGTH_H
#define AULA_RENDER_LENGTH_H

#include "render/excitation.h"
#include "room/grid/model.h"

#define DECAY_WANTED (-60.0)     /* dB: decay at which "auto" stops */
#define DECAY_MEASURABLE (-35.0) /* dB: decay required for T30 */
#define LENGTH_MAX 3600.0        /* s: largest time.duration */

struct length {
    double seconds;  /* of the response */
    size_t steps;    /* steps it takes */
    bool chosen;     /* chosen by "auto" */
    double signal;   /* s after t = 0 at which the last source ends; 0 if deconvolution removes it */
    double estimate; /* s: largest Eyring T60 by octave; INFINITY without absorption */
    double octave;   /* Hz: that octave */
    double max;      /* s: time.max_duration */
    size_t part;     /* channels whose responses are in memory at a time; 0: all */
};

/* All members except `steps`. excitations[count]: of the sources from `first`. */
struct length length_of(const struct model *m, size_t first, size_t count, const struct excitation *excitations);

/* Extends to the next estimate of "auto"; false: at the limit. */
bool length_extend(struct length *length);

/* Frames of a response at `rate` Hz: round(seconds * rate), at least 1. */
size_t length_frames(double seconds, double rate);

/* s, rounded up to tenths, at least 0.1. */
double length_rounded(double seconds);

/* s from the source to a position of the receiver in free air. */
double travel_time(const struct model *m, size_t source, size_t receiver, size_t place);

#endif
