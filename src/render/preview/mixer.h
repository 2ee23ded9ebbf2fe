/* SPDX-License-Identifier: MIT */
/* The output of a preview: the dry sound, or that sound in the room through the best response
 * available, then a limiter.
 *
 * New responses are offered during playback and cross-faded. Each has its own gain; the level moves
 * there steadily, down ahead of the fade or up after it. All changes are free of clicks. One thread
 * produces sound (render/preview/dry_sound.h, or a test); the other functions may be called from any
 * thread. */
#ifndef AULA_RENDER_PREVIEW_MIXER_H
#define AULA_RENDER_PREVIEW_MIXER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "dsp/convolve.h"
#include "render/preview/head.h"
#include "render/preview/monitor.h"

enum { MIXER_RECEIVERS_MAX = LISTENED_DIRECT_MAX, MIXER_EARS = 2 };

#define MIXER_SLOPE 12.0 /* dB/s: change of gain between responses */

struct mixer;

/* Replaces the convolver: turns a block of dry sound into the signals of the receivers. Returns
 * nonzero with *e filled if it cannot continue. */
struct mixer_engine {
    int (*run)(void *context, const float *in, float *const *out, struct error *e);
    void *context;
    double gain; /* of the receivers' signals */
};

struct mixer_settings {
    size_t receivers;  /* at most MIXER_RECEIVERS_MAX */
    size_t field;      /* channels of a field after those of the receivers, at most LISTENED_FIELD_MAX; 0: none */
    struct head *head; /* listens to the field; NULL without one. The mixer runs it; it must outlive the mixer */
    size_t block;      /* frames */
    double rate;       /* Hz */
    struct mixer_engine live; /* run NULL: convolvers are offered */
};

/* Silent until the first response. */
int mixer_make(struct mixer **m, const struct mixer_settings *s, struct error *e);
void mixer_free(struct mixer *m); /* NULL-safe; only when no thread runs it or offers to it */

/* One block: in [block], mono; out [block][MIXER_EARS], within LIMITER_CEILING. One thread. Does
 * not allocate, free or wait (the live engine may). */
void mixer_run(struct mixer *m, const float *in, float *out);
bool mixer_is_silent(const struct mixer *m); /* paused and faded out; call from the thread of mixer_run */
size_t mixer_block(const struct mixer *m);
size_t mixer_tail(const struct mixer *m); /* frames until silence after mixer_end */

/* Takes over the convolver (1 input, `receivers` + `field` outputs, the mixer's block), to be
 * played with `gain`. It fades in over 0.05 s once the level has come down to that gain. A newer
 * offer replaces one that waits. Fails when out of memory, after freeing the convolver. One thread
 * at a time. */
int mixer_offer(struct mixer *m, struct convolver *convolver, double gain, struct error *e);

/* Key commands. receiver -1: the ears of the head or, without one, the first two receivers, one for
 * each ear. */
void mixer_choose(struct mixer *m, int receiver);
void mixer_set_dry(struct mixer *m, bool dry);
void mixer_set_paused(struct mixer *m, bool paused);
void mixer_set_level(struct mixer *m, double decibels); /* in addition to the response's gain, for wet and dry */
void mixer_end(struct mixer *m);                        /* fades out, permanently */

struct mixer_status {
    double peak;      /* largest magnitude so far before the limiter */
    double reduction; /* dB: largest attenuation by the limiter so far, >= 0 */
    double limited;   /* s attenuated by the limiter */
    double seconds;   /* produced so far */
    bool heard;       /* a response, or the live engine, is in use */
    bool failed;      /* the live engine failed: error */
    struct error error;
};
struct mixer_status mixer_status(struct mixer *m); /* has no side effects */

/* dB: largest attenuation by the limiter since the last call. */
double mixer_reduction(struct mixer *m);

#endif
