/* SPDX-License-Identifier: MIT */
/* The places that mallets, hammers and bows of a score touch, as ports of the bodies, and the bodies that
 * stretch as they move. */
#ifndef AULA_RENDER_SYNTH_TOUCHES_H
#define AULA_RENDER_SYNTH_TOUCHES_H

#include "render/synth/score.h"
#include "solver/schemes/bodies/ports.h"
#include "solver/schemes/bodies/stretching.h"

struct ensemble;

/* Port `port` of the body that contains a voice. A voice has a touch for each place of its mallets, and
 * one for its bow, which spans all places that it reaches. */
struct touch {
    size_t voice;
    double place[2];  /* mallet */
    double low, high; /* bow */
    double velocity;  /* m/s, largest of its events */
    enum port_kind kind;
    size_t body, port;
    uint16_t array; /* state array of the inputs of that body's ports */
};

/* Lists the touches of the score, after the voices are listed. */
int touches_list(struct ensemble *s, const struct room *room, const struct score *score, struct error *e);

/* The touch of an event; SIZE_MAX: it is a prescribed force. */
size_t touch_of(const struct ensemble *s, const struct room *room, const struct event *event);

/* Makes the ports and the stretching of all bodies, once these have their lines and arrays. ERROR_INPUT
 * names the instrument and a remedy; adds notes and warnings to the ensemble. */
int touches_make(struct ensemble *s, const struct room *room, double rate, struct error *e);
void touches_free(struct ensemble *s);

#endif
