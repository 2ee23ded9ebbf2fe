/* SPDX-License-Identifier: MIT */
/* The instruments of a room, without air, stepped block by block while notes arrive. */
#ifndef AULA_RENDER_PLAY_PERFORMER_H
#define AULA_RENDER_PLAY_PERFORMER_H

#include <stdbool.h>
#include <stddef.h>

#include "room/room.h"
#include "solver/solver.h"

struct performer;

struct performer_settings {
    const struct room *room; /* with instruments and pickups; outlives the performer */
    double rate;             /* Hz: frames per second */
    size_t block;            /* frames per call of performer_run */
    size_t divisor;          /* frames per step, 1 or more; divides `block` */
    int range[2];            /* MIDI notes, lowest and highest */
    const struct solver_options *choice;
};

/* Makes a voice for every note in the range and for every instrument without pitches, and measures level and speed by
 * the loudest note. ERROR_INPUT names the instrument and a remedy; ERROR_STOPPED. On failure *p is NULL. */
int performer_open(struct performer **p, const struct performer_settings *s, struct error *e);
void performer_close(struct performer *p); /* NULL-safe */

struct performer_facts {
    int range[2];         /* MIDI notes; 0 and 127 if no instrument has pitches */
    size_t voices, modes; /* that are stepped; modes of strings and bars */
    size_t nodes;         /* of membranes and plates */
    double rate;          /* steps per second */
    double delay;         /* s: from a step to its frame; velocity is that of the step before */
    bool ports;           /* voices have contacts or bows */
    double factor;        /* times real time that a block is stepped */
    double gain;          /* 1/(m/s): the loudest note then peaks at PERFORMER_PEAK */
    const float *sample;  /* [samples]: that note, with the gain, for choosing a level */
    size_t samples;
    const struct solver_plan *plan;
};
#define PERFORMER_PEAK 0.25
struct performer_facts performer_facts(const struct performer *p);

/* Adds a line for every plate whose stretching drifted while it was played. Not while another thread plays. */
int performer_warn(char ***lines, size_t *count, const struct performer *p, struct error *e);

/* The following are called by one thread, and do not allocate, lock or wait. */

/* Plays the voice of a key from a frame of the next block on, with a share (0 to 1) of the instrument's force, or of
 * the speed of its mallet or bow, as a MIDI file would. A bow moves until the key is released. Channels count from 0.
 * False: the key has no voice. */
bool performer_strike(struct performer *p, unsigned channel, unsigned note, double share, size_t frame);

/* Sets the force of the bows of a channel to a share of the instrument's bow_force. */
void performer_express(struct performer *p, unsigned channel, double share);

/* Lets a damper down on the string of a key unless the pedal holds it up. Bars and surfaces have no damper. */
void performer_release(struct performer *p, unsigned channel, unsigned note);
void performer_pedal(struct performer *p, bool down);
void performer_damp_all(struct performer *p);

/* out [block]: the sum of all pickups as velocity, high-passed as in aula synth, times the gain. ERROR_UNSTABLE. */
int performer_run(struct performer *p, float *out, struct error *e);

#endif
