/* SPDX-License-Identifier: MIT */
/* The force of an event at each time step. */
#ifndef AULA_RENDER_SYNTH_STRIKE_FORCE_H
#define AULA_RENDER_SYNTH_STRIKE_FORCE_H

#include "room/room.h"

/* Shorter events are stretched to this many steps. */
#define BLOW_STEPS_MIN 2.0

/* A strike is F/2 (1 - cos 2πt/T), a pluck F/2 (1 - cos πt/T) until its release. A strike is scaled so that its samples
 * add up to the impulse FT/2. */
struct strike_force {
    double start, width; /* in steps */
    double force;        /* N: peak */
    bool pluck;
};

/* rate: steps per second; onset: steps before time 0. */
struct strike_force strike_force_make(const struct event *event, enum excitation_kind kind, double rate, size_t onset);

/* N, at a step from ceil(start) on, below start + width. */
double strike_force_at(const struct strike_force *b, double step);

#endif
