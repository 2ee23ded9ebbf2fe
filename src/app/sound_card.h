/* SPDX-License-Identifier: MIT */
/* Sound device options of the commands that play, and the note that the latency was raised. */
#ifndef AULA_APP_SOUND_CARD_H
#define AULA_APP_SOUND_CARD_H

#include "app/options.h"
#include "io/playback/player.h"

struct card_options {
    const char *device;
    double latency; /* ms; 0: the command's default */
};

extern const struct option_row option_latency, option_sound_device;

/* ERROR_USAGE if --latency is out of range. */
int latency_check(const struct card_options *o, struct error *e);

/* Notes once, as *told records, that the device was reopened with more latency. `before` precedes the note. */
void say_reopened(const struct common_options *o, struct player *player, bool *told, const char *before);

#endif
