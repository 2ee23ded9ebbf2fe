/* SPDX-License-Identifier: MIT */
/* What the commands that play share: the latency they ask of the sound device, and the note that it was raised. */
#ifndef AULA_APP_SOUND_CARD_H
#define AULA_APP_SOUND_CARD_H

#include "app/options.h"
#include "io/playback/player.h"

struct card_options {
    const char *device;
    double latency; /* ms; 0: what suits */
};

extern const struct option_row option_latency, option_sound_device;

/* ERROR_USAGE for --latency out of its range. */
int latency_check(const struct card_options *o, struct error *e);

/* Says once, by *told, that the device was opened again with more latency; `before` stands in front of the note. */
void say_reopened(const struct common_options *o, struct player *player, bool *told, const char *before);

#endif
