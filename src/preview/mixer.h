/* What is heard in a preview: the dry sound, or that sound in the room by the best response there is so far.
 *
 * A thread of its own stands between the dry sound (a file that loops, or the sound card's input) and the player's ring.
 * Responses arrive from elsewhere while sound goes on and are faded over to; everything that changes does so without a
 * click. */
#ifndef AULA_PREVIEW_MIXER_H
#define AULA_PREVIEW_MIXER_H

#include <stdbool.h>

#include "io/player.h"
#include "signal/convolve.h"

enum { MIXER_RECEIVERS_MOST = 9, MIXER_EARS = 2 };

struct mixer;

/* In place of a convolver: anything that turns a block of dry sound into what the receivers hear. Returns nonzero with
 * *e filled when it cannot go on. */
struct mixer_engine {
    int (*run)(void *context, const float *in, float *const *out, struct error *e);
    void *context;
};

struct mixer_settings {
    struct player *player; /* open, with MIXER_EARS outputs, and one input when the dry sound comes from it */
    const float *dry;      /* [dry_frames], mono, at the player's rate, loops; NULL: the player's input */
    size_t dry_frames;
    size_t receivers;         /* at most MIXER_RECEIVERS_MOST */
    size_t block;             /* frames */
    double rate;              /* Hz */
    double ahead;             /* s of sound kept ready for the device */
    struct mixer_engine live; /* run NULL: convolvers are offered */
};

/* Starts the thread; silence is heard until the first response. */
int mixer_start(struct mixer **m, const struct mixer_settings *s, struct error *e);
void mixer_end(struct mixer *m);  /* NULL-safe; fades out and ends the thread: nothing is heard any more */
void mixer_free(struct mixer *m); /* NULL-safe; after mixer_end, and when nobody offers any more */

/* Takes the convolver (1 input, `receivers` outputs, the mixer's block) over: it is heard within a block, faded in over a
 * twentieth of a second. One that has not been heard yet when the next one comes is dropped. */
void mixer_offer(struct mixer *m, struct convolver *convolver);

/* Keys; from any thread. receiver -1: the first two receivers, one for each ear. */
void mixer_choose(struct mixer *m, int receiver);
void mixer_set_dry(struct mixer *m, bool dry);
void mixer_set_paused(struct mixer *m, bool paused);
void mixer_set_level(struct mixer *m, double decibels); /* on top of wet_gain, for wet and dry alike */
void mixer_set_wet_gain(struct mixer *m, double gain);

struct mixer_status {
    double load;               /* of the time there is for a block, over the last second or so */
    double peak;               /* largest magnitude written since the last look; above 1 is clipped by the device */
    unsigned long long blocks; /* so far */
    bool heard;                /* a response, or the live engine, is in use */
    bool failed;               /* the live engine could not go on: error */
    struct error error;
};
struct mixer_status mixer_status(struct mixer *m);

#endif
