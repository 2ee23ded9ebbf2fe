/* SPDX-License-Identifier: MIT */
/* The sound card: frames of floats to its outputs and from its inputs, through PortAudio.
 *
 * Two rings connect the caller and the audio callback, which only moves frames between rings and device and counts. A
 * watchdog compares the count of callbacks: a device that stops calling is opened once more, with more latency, and lost
 * when it stops again. No call waits for a device longer than its limit.
 *
 *     struct player_settings settings = {.outputs = 2, .rate = 48000.0};
 *     if (player_open(&p, &settings, e)) ...
 *     while (there is more)
 *         if (player_play(p, block, frames, e)) ...       starts by itself; waits for room
 *     status = player_drain(p, 10.0, e);                  until the last frame was heard
 *     player_close(p);
 *
 * or, without waiting: player_write until player_space is 0, player_start, and then again and again player_write and
 * player_check. One thread writes and one reads (it may be the same); the other calls are made by the thread that
 * opened. One player at a time. */
#ifndef AULA_IO_PLAYBACK_PLAYER_H
#define AULA_IO_PLAYBACK_PLAYER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct player;

/* 0 is a good default for all but the channels. */
struct player_settings {
    const char *device;       /* name, unique part of one in any letter case, or number; NULL: the system's default. The
                             * text lives as long as the player */
    const char *input_device; /* to record from, if not the same; NULL: `device`, else the default beside it */
    size_t outputs, inputs;   /* channels; a single output is heard on the device's first two */
    bool apart;               /* a single output is heard on the device's first alone */
    double rate;              /* Hz; 0: the device's, as in player_status */
    unsigned long frames;     /* of a buffer; 0: the device's */
    double latency;           /* s, asked of the device; 0: its low default */
    double buffered;          /* s that each ring holds; 0: 0.5 */
};

struct player_status {
    bool alive;                   /* started, and the device has called within its limit */
    bool reopened;                /* it once had not, and was opened again with more latency */
    unsigned long long underruns; /* times the device, or the callback, had nothing to play */
    unsigned long long overruns;  /* times recorded frames were lost */
    unsigned long long played;    /* frames passed to the device, without silence at underruns */
    double load;                  /* of the callback, 0..1 */
    double latency;               /* s from the callback to the output, as the device reports; 0: unknown */
    double rate;                  /* Hz */
    const char *device;           /* its name; lives as long as the player */
};

/* Fills *p, or *e and leaves NULL in *p: no device (with the advice to write a file), an unknown one (with the closest
 * names; ERROR_USAGE), one without that many channels or that rate. A JACK server is used when it runs, never
 * started. */
int player_open(struct player **p, const struct player_settings *settings, struct error *e);

/* Starts the device; plays first the frames that were written before. An empty ring is an underrun from the first
 * written frame on. */
int player_start(struct player *p, struct error *e);

/* interleaved [frames][outputs]: as many as fit. Never waits. Returns how many. */
size_t player_write(struct player *p, const float *interleaved, size_t frames);
size_t player_space(const struct player *p); /* frames there is room for */

/* interleaved [frames][inputs]: as many as were recorded. Never waits. Returns how many. */
size_t player_read(struct player *p, float *interleaved, size_t frames);
size_t player_recorded(const struct player *p); /* frames that wait to be read */

/* interleaved [frames][outputs]: all of them; starts the device when the ring is full for the first time, and waits for
 * room. Fails when the device is lost, or with ERROR_STOPPED on Ctrl-C. */
int player_play(struct player *p, const float *interleaved, size_t frames, struct error *e);

struct player_status player_status(struct player *p);

/* Opens the device again, with more latency, when there was no callback within the limit (1 s and a few buffers). Fails
 * when that has happened before, or does not help: the device is lost. The message names it. */
int player_check(struct player *p, struct error *e);

/* Waits until all written frames were played (starts the device if needed), at most `seconds` longer than the ring's
 * content. An empty ring is then no underrun. Fails as player_play does. */
int player_drain(struct player *p, double seconds, struct error *e);

/* Stops at once and closes the device. One that does not close within two seconds is abandoned with its memory; the
 * process can exit nevertheless. NULL-safe. */
void player_close(struct player *p);

/* As player_close, but waits 0.1 s for the device: for a process that a signal is about to end. */
void player_drop(struct player *p);

#endif
