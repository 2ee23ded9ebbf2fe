/* SPDX-License-Identifier: MIT */
/* The places that mallets, hammers and bows of a score touch, and what instruments hit as they move, as
 * ports of the bodies; and the bodies that stretch as they move. */
#ifndef AULA_RENDER_SYNTH_TOUCHES_H
#define AULA_RENDER_SYNTH_TOUCHES_H

#include "render/synth/score.h"
#include "solver/schemes/bodies/ports.h"
#include "solver/schemes/bodies/stretching.h"

struct ensemble;

enum touch_kind { TOUCH_THROWN, TOUCH_BOW, TOUCH_STOP, TOUCH_WIRE };

/* Port `port` of the body that contains a voice. A voice has a touch for each place of its mallets, one
 * for its bow, which spans all places that it reaches, one for each fret and stop that it may hit, and
 * a head one for each point at which it may hit a snare wire. */
struct touch {
    size_t voice;
    enum touch_kind kind;
    double place[2];       /* not of a bow */
    double low, high;      /* bow */
    double velocity;       /* mallet, bow: m/s, largest of its events */
    double gap, stiffness; /* stop, wire: m, N/m^1.5 */
    size_t wire;           /* wire: its voice */
    double wire_place;     /* along it */
    size_t body, port;
    uint16_t array; /* state array of the inputs of that body's ports */
};

/* Lists the touches of the score, after the voices are listed. */
int touches_list(struct ensemble *s, const struct room *room, const struct score *score, struct error *e);

/* The touch of an event; SIZE_MAX: it is a prescribed force. */
size_t touch_of(const struct ensemble *s, const struct room *room, const struct event *event);

/* Makes the ports and the stretching of all bodies, once these have their lines and arrays. ERROR_INPUT
 * names the instrument and a remedy; adds notes and warnings to the ensemble. */
int touches_make(struct ensemble *s, const struct room *room, const struct score *score, double rate, struct error *e);
void touches_free(struct ensemble *s);

/* Rows over the points of a body: the motion of a voice at a place, times `factor`, is added to the last
 * row or, with `begin`, as a new one. t: a touch of that body. */
struct rows {
    struct sparse m;
    size_t count;
};
int rows_add(struct rows *rows, const struct ensemble *s, const struct touch *t, size_t voice, const double place[2],
             double factor, bool begin, struct error *e);

/* bows.c: the port of a bow. ERROR_INPUT: the rate is too low. bows_warn: of strokes within which no step sees the bow
 * press, as its force rises from 0 and falls to 0 at their ends. */
int bow_make(struct port *p, struct rows *rows, struct ensemble *s, const struct room *room, const struct touch *t,
             double rate, struct error *e);
int bows_warn(struct ensemble *s, const struct room *room, const struct score *score, double rate, struct error *e);

/* barriers.c: what instruments hit as they move. barriers_list appends barriers_count touches. */
size_t barriers_count(const struct ensemble *s, const struct room *room);
void barriers_list(struct ensemble *s, const struct room *room);
int barrier_make(struct port *p, struct rows *rows, const struct ensemble *s, const struct touch *t, struct error *e);

#endif
