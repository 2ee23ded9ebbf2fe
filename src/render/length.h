/* How long a response has to be: what the room file says, or with time.duration = "auto" as long as the decay takes.
 *
 * At first it is as long as Eyring's T60 of the slowest octave of the valid band says, after the sources have ended and
 * the direct sound has arrived everywhere, rounded up to tenths of a second. It is then longer by a quarter as often as
 * the backward-integrated energy of any receiver, from 63 Hz to the end of the valid band, ends less than 60 dB down, until
 * time.max_duration ends it. Of the raw field (output.filter = "none") the estimate is all there is: its offset does not
 * decay. All of it follows from numbers that are the same on every engine. */
#ifndef AULA_RENDER_LENGTH_H
#define AULA_RENDER_LENGTH_H

#include "model/model.h"
#include "signal/excitation.h"

#define DECAY_WANTED (-60.0)     /* dB: where "auto" ends */
#define DECAY_MEASURABLE (-35.0) /* dB: less gives no T30 */
#define LENGTH_MAX 3600.0        /* s: what time.duration may be at most */

struct length {
    double seconds;  /* of the response */
    size_t steps;    /* that it takes */
    bool chosen;     /* by "auto" */
    double signal;   /* s after t = 0 at which the last of the sources ends; 0 for what is taken out again */
    double estimate; /* s: Eyring's T60, INFINITY where nothing absorbs; of the slowest octave: */
    double octave;   /* Hz */
    double max;      /* s */
};

/* Everything but the steps. excitations[count] of the sources from `first` on. */
struct length length_of(const struct model *m, size_t first, size_t count, const struct excitation *excitations);

/* The next try of "auto"; false: there is none. */
bool length_extend(struct length *length);

/* s, rounded up to tenths: a tenth at least. */
double length_rounded(double seconds);

/* s from the source to the receiver through free air. */
double length_of_way(const struct model *m, size_t source, size_t receiver);

#endif
