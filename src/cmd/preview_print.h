/* SPDX-License-Identifier: MIT */
/* Output of aula preview: a status line while it plays, a summary or JSON at its end. */
#ifndef AULA_CMD_PREVIEW_PRINT_H
#define AULA_CMD_PREVIEW_PRINT_H

#include "playback/player.h"
#include "preview/mixer.h"
#include "preview/refiner.h"

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
