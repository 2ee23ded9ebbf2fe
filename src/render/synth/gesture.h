/* SPDX-License-Identifier: MIT */
/* What an event feeds to its drives at each time step: a force, the start of a mallet, the force, speed
 * and place of a bow, or the breath and fingers of a wind player. */
#ifndef AULA_RENDER_SYNTH_GESTURE_H
#define AULA_RENDER_SYNTH_GESTURE_H

#include "render/synth/strike_force.h"

struct wind_voice; /* voice_wind.h */

struct gesture {
    enum excitation_kind kind;
    double start, width; /* in steps */
    size_t inputs;       /* number of drives: 1, or 3 of a bow, as in ports.h, or those of a wind instrument */
    struct strike_force force;
    const struct event *event; /* which must outlive the gesture */
    double rate;
    const struct wind_voice *wind; /* the caller sets these: NULL: of another instrument */
    const struct event *before;    /* the note before on it; NULL: none */
};

/* rate: steps per second; onset: steps before time 0. */
struct gesture gesture_make(const struct event *event, enum excitation_kind kind, double rate, size_t onset);

/* The value of an input, at a step from ceil(start) on, below start + width. A bow without force_curve
 * reaches its force within 0.01 s and is lifted within the last 0.01 s. */
double gesture_at(const struct gesture *g, size_t input, double step);

/* The value of a curve, s after the start of its event. */
double curve_at(const struct curve *curve, double seconds);

#endif
