/* The force of an event, step by step. */
#ifndef AULA_SYNTH_BLOW_H
#define AULA_SYNTH_BLOW_H

#include "room/room.h"

/* Events shorter than this many steps are spread over so many. */
#define BLOW_STEPS_LEAST 2.0

/* A strike is F/2 (1 - cos 2πt/T); a pluck F/2 (1 - cos πt/T), then let go. A strike keeps its impulse FT/2, whatever its
 * samples add up to. */
struct blow {
    double start, width; /* in steps */
    double force;        /* N: peak */
    bool pluck;
};

/* rate: steps a second; onset: steps before time 0. */
struct blow blow_make(const struct event *event, enum excitation_kind kind, double rate, size_t onset);

/* N, at a step from ceil(start) on, below start + width. */
double blow_force(const struct blow *b, double step);

#endif
