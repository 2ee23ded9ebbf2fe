/* SPDX-License-Identifier: MIT */
/* The dry sound of a preview: mono, at the rate of the sound card. */
#ifndef AULA_RENDER_PREVIEW_DRY_SOUND_H
#define AULA_RENDER_PREVIEW_DRY_SOUND_H

#include <stddef.h>

#include "base/error.h"
#include "io/playback/player.h"
#include "render/preview/mixer.h"

struct dry_sound {
    float *samples; /* [frames] */
    size_t frames;
};

/* A sound file, mixed down to mono (mean of its channels) and resampled to `rate` Hz. */
int dry_sound_read(struct dry_sound *d, const char *path, double rate, struct error *e);

/* One click per second. */
int dry_sound_clicks(struct dry_sound *d, double rate, struct error *e);

/* A substitute for an unknown sound when choosing a level: noise that falls by 6 dB per octave
 * above 500 Hz, roughly like speech and music. */
int dry_sound_noise(struct dry_sound *d, double rate, struct error *e);

void dry_sound_free(struct dry_sound *d); /* safe on a zeroed struct */

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
