/* SPDX-License-Identifier: MIT */
/* The thread that plays: MIDI messages to a performer, its sound through a response and a limiter to the sound card.
 *
 * A message that arrives at time t begins at frame rate (t + lead) of the output. The lead is the largest by which frames
 * were computed ahead of the clock, plus a block, so that the rhythm stays although blocks are computed in bursts. */
#ifndef AULA_RENDER_PLAY_PLAY_LOOP_H
#define AULA_RENDER_PLAY_PLAY_LOOP_H

#include "dsp/convolve.h"
#include "io/midi_input/midi_input.h"
#include "io/playback/player.h"
#include "render/play/performer.h"

enum { PLAY_EARS = 2 };

struct play_loop;

struct play_loop_settings {
    struct performer *performer;
    struct player *player;       /* open, not started, PLAY_EARS outputs */
    struct midi_input *input;    /* NULL: none */
    struct convolver *convolver; /* 1 input, PLAY_EARS outputs, the performer's block; NULL: dry */
    double wet_gain;
    double rate; /* Hz */
    size_t block;
};

/* Starts the sound card and measures how many frames it takes at a time. All members of the settings outlive the loop,
 * and it alone uses the performer, input and convolver. ERROR_STOPPED. */
int play_loop_start(struct play_loop **l, const struct play_loop_settings *s, struct error *e);
void play_loop_end(struct play_loop *l); /* NULL-safe; fades out, ends the thread and frees it */

/* A message from the thread that started the loop, such as a key of the computer. */
void play_loop_send(struct play_loop *l, const uint8_t bytes[3]);

void play_loop_set_level(struct play_loop *l, double decibels);

struct play_status {
    unsigned long long notes;     /* begun */
    unsigned long long unheard;   /* keys without a voice */
    unsigned long long late;      /* blocks that took longer than they last */
    unsigned long long underruns; /* of the sound card */
    double load;                  /* share of real time, averaged over about a second */
    double buffered;              /* s between a message and the frame it begins at: one block and what is kept ready */
    double card, limiter;         /* s: the latency that the sound card reports, at least its buffer; the limiter's */
    double reduction;             /* dB: largest attenuation by the limiter since the last call */
    bool failed;
    struct error error; /* if failed */
};

/* By the thread that started the loop, a few times a second. After an underrun one more block is kept ready. */
struct play_status play_loop_look(struct play_loop *l);

#endif
