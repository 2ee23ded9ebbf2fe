/* What is heard in a preview, before the room: mono, at the rate of the sound card. */
#ifndef AULA_PREVIEW_DRY_SOUND_H
#define AULA_PREVIEW_DRY_SOUND_H

#include <stddef.h>

#include "base/error.h"

struct dry_sound {
    float *samples; /* [frames] */
    size_t frames;
};

/* A sound file, resampled to `rate` Hz. Whatever channels it has, one is played: their mean. */
int dry_sound_read(struct dry_sound *d, const char *path, double rate, struct error *e);

/* A click a second, which shows a room best. */
int dry_sound_clicks(struct dry_sound *d, double rate, struct error *e);

/* What stands for a sound that nobody knows yet, to find a level for it: noise that falls by 6 dB an octave above 500 Hz, as
 * speech and music do on the whole. */
int dry_sound_stand_in(struct dry_sound *d, double rate, struct error *e);

void dry_sound_free(struct dry_sound *d); /* safe on a zeroed struct */

#endif
