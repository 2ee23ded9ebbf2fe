/* SPDX-License-Identifier: MIT */
/* Plays sweeps and records them until enough of them are beyond doubt: a take in which the sound card dropped a block is
 * repeated as a whole, since the records behind the gap are shifted, and a sweep that is clipped or differs from the
 * others is played once more. What cannot be had within the limits is refused. */
#ifndef AULA_DSP_MEASURE_SWEEP_SESSION_H
#define AULA_DSP_MEASURE_SWEEP_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { SWEEP_TAKES_MAX = 4 };

/* A device, or the imitation of one, that plays and records at once: the frame that is played as number n since `open`
 * is recorded as number n, later by the delay of converters and air. */
struct sweep_stream {
    void *context;
    /* take: 0 for the first attempt; later ones may ask for more latency. */
    int (*open)(void *context, size_t take, struct error *e);
    /* Takes up to *played frames of out [frames][outputs] and gives up to *recorded frames of in [frames][inputs]; both
     * become the numbers that were. *dropped: blocks lost since open, on either side. May wait for some milliseconds,
     * never longer. ERROR_STOPPED. */
    int (*exchange)(void *context, const float *out, size_t *played, float *in, size_t *recorded, size_t *dropped,
                    struct error *e);
    void (*close)(void *context);
};

struct sweep_session {
    const double *sweep;            /* [length] */
    size_t length, silence, period; /* frames: of a sweep, before the first one, from one sweep to the next */
    double rate;
    size_t outputs, inputs;
    size_t speaker;  /* output that plays it, from 1 */
    size_t loopback; /* output that plays it as well, and the input that a cable leads it to; 0: none */
    size_t repeats;
    void (*tell)(void *context, size_t take, size_t sweep, size_t of); /* a sweep begins, all from 1; or NULL */
    void *context;
};

struct sweep_take {
    double *mean;  /* [inputs][period], from the instant at which the sweep begins to be played */
    double *noise; /* [inputs][noise_frames] before the first sweep */
    size_t noise_frames;
    size_t used;                    /* sweeps in the mean */
    size_t takes, dropped, refused; /* attempts, blocks that they lost, sweeps that were not used */
    double
        spread; /* dB: energy by which the sweeps differ from their mean beyond the noise, over that of the mean; NaN:
                      a single one */
};

/* ERROR_FAILED: blocks were dropped in every take, an input is clipped or silent, or the sweeps do not agree; the
 * message says what to do. ERROR_STOPPED. On failure *t is zero. */
int sweep_session_run(struct sweep_take *t, const struct sweep_session *s, const struct sweep_stream *stream,
                      struct error *e);
void sweep_take_free(struct sweep_take *t); /* NULL-safe */

/* ---- Agreement of repeats ---- */

/* windows: [count] records [frames][channels], of which used[count] says which are unclipped; noise: [channels] mean
 * square. Leaves used[k] to the largest group found that agrees with one of its members, and stops at `wanted`: a record
 * agrees with another if they differ, in each block of so many frames (10 ms), by no more than 16 times the noise and a tenth of
 * the energy. A lost block shifts the rest by more. *spread: as above, of the group. */
int sweep_agreement_find(double *spread, const float *const *windows, bool *used, size_t count, size_t wanted,
                         size_t channels, size_t frames, size_t block, const double *noise, struct error *e);

#endif
