/* The sound card: frames of floats to its outputs and from its inputs, through PortAudio.
 *
 * Two rings stand between the caller and the audio callback, which only moves frames between them and the device and
 * counts. A watchdog looks after the device: the callback beats, and a device that no longer calls it is gone. Every call
 * comes back: none waits for a device longer than its limit.
 *
 *     struct player_settings settings = {.outputs = 2, .rate = 48000.0};
 *     if (player_open(&p, &settings, e)) ...
 *     while (there is more)
 *         if (player_play(p, block, frames, e)) ...       starts by itself; waits for room
 *     status = player_drain(p, 10.0, e);                  until the last frame was heard
 *     player_close(p);
 *
 * or, for those who must not wait: player_write until player_space is 0, player_start, and then again and again
 * player_write and player_check. One thread writes and one reads (it may be the same); the other calls belong to the
 * thread that opened. One player at a time. */
#ifndef AULA_PLAYBACK_PLAYER_H
#define AULA_PLAYBACK_PLAYER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct player;

/* Zero is a sound choice for all but the channels. */
struct player_settings {
    const char *device;     /* name, unique part of one in any letter case, or number; NULL: the system's default */
    size_t outputs, inputs; /* channels; a single output is heard on the device's first two */
    double rate;            /* Hz; 0: the device's own, which player_status tells */
    unsigned long frames;   /* of a buffer; 0: the device's */
    double latency;         /* s, asked of the device; 0: its low default */
    double buffered;        /* s that each ring holds; 0: 0.5 */
};

struct player_status {
    bool alive;                   /* started, and the device has called within its limit */
    unsigned long long underruns; /* times the device, or the callback, had nothing to play */
    unsigned long long overruns;  /* times recorded frames were lost */
    unsigned long long played;    /* frames that were handed to the device, silence for want of frames left out */
    double load;                  /* of the callback, 0..1 */
    double latency;               /* s from the callback to the ear, as the device says */
    double rate;                  /* Hz */
    const char *device;           /* its name; lives as long as the player */
};

/* Fills *p, or *e and leaves NULL in *p: no device (with the advice to write a file), an unknown one (with the closest
 * names; ERROR_USAGE), one without that many channels or that rate. A JACK server is used when it runs, never started. */
int player_open(struct player **p, const struct player_settings *settings, struct error *e);

/* The device begins to call. What was written before is played first; an empty ring counts as an underrun from the first
 * written frame on. */
int player_start(struct player *p, struct error *e);

/* interleaved [frames][outputs]: as many as fit. Never waits. Returns how many. */
size_t player_write(struct player *p, const float *interleaved, size_t frames);
size_t player_space(const struct player *p); /* frames there is room for */

/* interleaved [frames][inputs]: as many as were recorded. Never waits. Returns how many. */
size_t player_read(struct player *p, float *interleaved, size_t frames);
size_t player_recorded(const struct player *p); /* frames that wait to be read */

/* interleaved [frames][outputs]: all of them; starts the device when the ring is full for the first time, and waits for
 * room. Fails when the device is gone, or with ERROR_STOPPED on Ctrl-C. */
int player_play(struct player *p, const float *interleaved, size_t frames, struct error *e);

struct player_status player_status(struct player *p);

/* Fails when the device is gone: no callback within the limit (1 s and a few buffers). The message names the device. */
int player_check(struct player *p, struct error *e);

/* Until all that was written was heard (starts the device where nobody did), `seconds` at most beyond what the ring
 * holds. An empty ring is then no underrun. Fails as player_play does. */
int player_drain(struct player *p, double seconds, struct error *e);

/* Stops at once and gives the device back. A device that does not let go within two seconds is left behind, with its
 * memory: the process can end all the same. NULL is fine. */
void player_close(struct player *p);

#endif
