/* SPDX-License-Identifier: MIT */
/* Acoustic parameters of a room from the wave solver and from hybrid responses, and their
 * report. */
#ifndef AULA_VALIDATE_HYBRID_COMPARED_RESPONSES_H
#define AULA_VALIDATE_HYBRID_COMPARED_RESPONSES_H

#include "validate/hybrid/compared_rooms.h"
#include "validate/hybrid/comparison.h"
#include "validate/validate.h"

enum { COMPARED_OCTAVES = 3 }; /* 500 Hz, 1 and 2 kHz */

/* Parameters of responses, by octave and position; NaN: not available. */
struct parameters {
    double t30[COMPARED_OCTAVES][COMPARED_PLACES], edt[COMPARED_OCTAVES][COMPARED_PLACES];   /* s */
    double c80[COMPARED_OCTAVES][COMPARED_PLACES], level[COMPARED_OCTAVES][COMPARED_PLACES]; /* dB; level: G */
    bool valid[COMPARED_OCTAVES]; /* the octave lies in the valid band */
};

/* Renders the room and measures its responses. Ctrl-C ends it with ERROR_STOPPED. */
int parameters_measure(struct parameters *p, const struct compared_room *room, const struct compared_run *run,
                       const struct validation *v, struct error *e);

/* One octave of one room. */
struct compared_octave {
    struct comparison t30, edt, c80, level;
};

double compared_centre(int octave); /* Hz */
struct compared_octave compared_octave_of(const struct parameters *truth, const struct parameters *hybrid, int octave);

/* Prints a line: the wave solver's parameters, and the errors of the hybrid responses with their
 * standard errors. */
void compared_octave_note(struct report *r, const struct compared_room *room, int octave,
                          const struct compared_octave *c);

#endif
