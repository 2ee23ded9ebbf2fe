/* SPDX-License-Identifier: MIT */
/* Feeds the sound card with what a mixer makes of a dry sound. */
#ifndef AULA_RENDER_FEEDER_FEEDER_H
#define AULA_RENDER_FEEDER_FEEDER_H

#include "io/playback/player.h"
#include "render/preview/mixer.h"

/* The thread that produces sound in a preview: from the dry sound (a looped file, or the sound card's input) through a
 * mixer into the player's ring, a given time ahead. */

struct feeder;

struct feeder_settings {
    struct player *player; /* open, with MIXER_EARS outputs, and one input when `dry` is NULL */
    struct mixer *mixer;   /* run by the feeder only */
    const float *dry;      /* [dry_frames], mono, at the player's rate, loops; NULL: the player's input */
    size_t dry_frames;
    double rate;  /* Hz */
    double ahead; /* s of sound kept ready for the device */
};

int feeder_start(struct feeder **f, const struct feeder_settings *s, struct error *e);
void feeder_end(struct feeder *f); /* NULL-safe; fades the mixer out, ends the thread and frees it */

double feeder_load(struct feeder *f); /* fraction of real time spent per block, averaged over about a second */

#endif
