/* SPDX-License-Identifier: MIT */
/* Output of aula preview: a status line while it plays, a summary or JSON at its end. */
#ifndef AULA_APP_PREVIEW_PRINT_H
#define AULA_APP_PREVIEW_PRINT_H

#include "io/playback/player.h"
#include "render/preview/mixer.h"
#include "render/preview/refiner.h"

struct preview_state {
    struct refiner_status room; /* stage that is heard, and the next one */
    bool paused, hears_dry, live;
    int receiver; /* -1: the ears of the head, or the first two receivers as left and right */
    bool has_head;
    struct head_pose pose;
    unsigned long long tracked; /* poses of a head tracker */
    double level, load;         /* dB; share of a block's duration */
    double reduction;           /* dB: largest reduction by the limiter since the last line */
    struct mixer_status mixed;
    struct player_status sound;
};

/* over: replaces the last line of a terminal; else prints a new line. */
void preview_print_line(const struct preview_state *s, bool over);

void preview_print_summary(const struct preview_state *s);
int preview_print_json(const struct preview_state *s, const char *room, struct error *e);

#endif
