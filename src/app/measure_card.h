/* SPDX-License-Identifier: MIT */
/* The sound card as the stream of a sweep session. */
#ifndef AULA_APP_MEASURE_CARD_H
#define AULA_APP_MEASURE_CARD_H

#include "app/options.h"
#include "dsp/measure/sweep_session.h"
#include "io/playback/player.h"

struct measure_card {
    const struct common_options *common;
    struct player_settings settings; /* of the first take; its latency is that of the first take in s, above 0 */
    struct player *player;
    bool started;
};

/* context: a struct measure_card. Every take after the first doubles the latency. */
struct sweep_stream measure_card_stream(struct measure_card *card);

/* Opens the device once to learn its rate and name, the caller's [256]. */
int measure_card_probe(double *rate, char *device, const struct player_settings *settings, struct error *e);

/* Records samples [frames][settings.inputs] without playing. */
int measure_card_record(const struct measure_card *card, float *samples, size_t frames, struct error *e);

#endif
