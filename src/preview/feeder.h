/* The thread that makes sound in a preview: from the dry sound (a file that loops, or what the sound card records) through a
 * mixer into the player's ring, as far ahead as it is told to be. */
#ifndef AULA_PREVIEW_FEEDER_H
#define AULA_PREVIEW_FEEDER_H

#include "playback/player.h"
#include "preview/mixer.h"

struct feeder;

struct feeder_settings {
    struct player *player; /* open, with MIXER_EARS outputs, and one input when the dry sound comes from it */
    struct mixer *mixer;   /* the feeder's alone to run */
    const float *dry;      /* [dry_frames], mono, at the player's rate, loops; NULL: the player's input */
    size_t dry_frames;
    double rate;  /* Hz */
    double ahead; /* s of sound kept ready for the device */
};

int feeder_start(struct feeder **f, const struct feeder_settings *s, struct error *e);
void feeder_end(struct feeder *f); /* NULL-safe; fades the mixer out, ends the thread and frees it */

double feeder_load(struct feeder *f); /* of the time there is for a block, over the last second or so */

#endif
