/* What is heard in a preview: the dry sound, or that sound in the room by the best response so far, through a limiter.
 *
 * Responses arrive from elsewhere while sound goes on and are faded over to; each comes with the gain that suits it, and the
 * level moves there steadily: down before the fade, up after it. Everything that changes does so without a click. One thread
 * makes sound (preview/feeder.h, or a test); the other calls may come from any. */
#ifndef AULA_PREVIEW_MIXER_H
#define AULA_PREVIEW_MIXER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "signal/convolve.h"

enum { MIXER_RECEIVERS_MAX = 9, MIXER_EARS = 2 };

#define MIXER_SLOPE 12.0 /* dB/s: how fast the gain of a response gives way to the next one's */

struct mixer;

/* In place of a convolver: anything that turns a block of dry sound into what the receivers hear. Returns nonzero with
 * *e filled when it cannot go on. */
struct mixer_engine {
    int (*run)(void *context, const float *in, float *const *out, struct error *e);
    void *context;
    double gain; /* of what the receivers hear */
};

struct mixer_settings {
    size_t receivers;         /* at most MIXER_RECEIVERS_MAX */
    size_t block;             /* frames */
    double rate;              /* Hz */
    struct mixer_engine live; /* run NULL: convolvers are offered */
};

/* Silence is heard until the first response. */
int mixer_make(struct mixer **m, const struct mixer_settings *s, struct error *e);
void mixer_free(struct mixer *m); /* NULL-safe; when nobody makes sound or offers any more */

/* A block: in [block], mono; out [block][MIXER_EARS], within LIMITER_CEILING. One thread. Neither allocates nor frees, nor
 * waits (the live engine may). */
void mixer_run(struct mixer *m, const float *in, float *out);
bool mixer_is_deaf(const struct mixer *m); /* nothing of `in` is let through any more: stopped. The same thread. */
size_t mixer_block(const struct mixer *m);
size_t mixer_tail(const struct mixer *m); /* frames until nothing is heard after mixer_end */

/* Takes the convolver (1 input, `receivers` outputs, the mixer's block) over, to be heard times `gain`: faded in over a
 * twentieth of a second as soon as the level has come down to what it needs. One that has not been heard yet when the next
 * one comes is dropped. Fails when memory is out, and has then freed the convolver. One thread at a time. */
int mixer_offer(struct mixer *m, struct convolver *convolver, double gain, struct error *e);

/* Keys. receiver -1: the first two receivers, one for each ear. */
void mixer_choose(struct mixer *m, int receiver);
void mixer_set_dry(struct mixer *m, bool dry);
void mixer_set_paused(struct mixer *m, bool paused);
void mixer_set_level(struct mixer *m, double decibels); /* on top of the response's gain, for wet and dry alike */
void mixer_end(struct mixer *m);                        /* fades out, for good */

struct mixer_status {
    double peak;      /* largest magnitude so far, before the limiter; above LIMITER_CEILING was too loud */
    double reduction; /* dB: the most that the limiter took away so far, 0 or more */
    double limited;   /* s in which it took something away */
    double seconds;   /* made so far */
    bool heard;       /* a response, or the live engine, is in use */
    bool failed;      /* the live engine could not go on: error */
    struct error error;
};
struct mixer_status mixer_status(struct mixer *m); /* looking changes nothing */

/* dB that the limiter took away at most since the last call: for one who shows it again and again. */
double mixer_reduction(struct mixer *m);

#endif
