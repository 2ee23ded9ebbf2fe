/* SPDX-License-Identifier: MIT */
/* The dry sound of a preview: mono, at the rate of the sound card. */
#ifndef AULA_RENDER_PREVIEW_DRY_SOUND_H
#define AULA_RENDER_PREVIEW_DRY_SOUND_H

#include <stddef.h>

#include "base/error.h"

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

#endif
