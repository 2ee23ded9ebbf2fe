/* SPDX-License-Identifier: MIT */
/* Length of a response: as the room file says or, with time.duration = "auto", by its decay.
 *
 * The first try is the largest Eyring T60 in the valid band, after the end of the sources and the arrival of the direct
 * sound at all receivers, rounded up to tenths of a second. It grows by a quarter while the backward-integrated energy
 * of any receiver, from 63 Hz to the end of the valid band, ends less than 60 dB down, or that of rays in any octave
 * above, up to time.max_duration. The raw field (output.filter = "none") has an offset that does not decay: there the
 * first try is final. All of it is independent of the engine. */
#ifndef AULA_RENDER_LENGTH_H
#define AULA_RENDER_LENGTH_H

#include "render/excitation.h"
#include "room/grid/model.h"

#define DECAY_WANTED (-60.0)     /* dB: decay at which "auto" ends */
#define DECAY_MEASURABLE (-35.0) /* dB: decay that T30 needs */
#define LENGTH_MAX 3600.0        /* s: largest time.duration */

struct length {
    double seconds;  /* of the response */
    size_t steps;    /* steps it takes */
    bool chosen;     /* by "auto" */
    double signal;   /* s after t = 0 at which the last source ends; 0 if it is removed by deconvolution */
    double estimate; /* s: Eyring's T60, INFINITY without absorption; largest in the octave: */
    double octave;   /* Hz */
    double max;      /* s */
    size_t part;     /* channels whose responses are kept at once; 0: all */
};

/* All members except `steps`. excitations[count]: of the sources from `first`. */
struct length length_of(const struct model *m, size_t first, size_t count, const struct excitation *excitations);

/* The next try of "auto"; false: none. */
bool length_extend(struct length *length);

/* Frames of a response at `rate` Hz: round(seconds * rate), at least 1. */
size_t length_frames(double seconds, double rate);

/* s, rounded up to tenths, at least 0.1. */
double length_rounded(double seconds);

/* s from the source to a place of the receiver through free air. */
double travel_time(const struct model *m, size_t source, size_t receiver, size_t place);

#endif
