/* SPDX-License-Identifier: MIT */
/* Output of aula preview: a status line during playback, a summary or JSON at the end. */
#ifndef AULA_APP_PREVIEW_PRINT_H
#define AULA_APP_PREVIEW_PRINT_H

#include "io/playback/player.h"
#include "render/preview/mixer.h"
#include "render/preview/refiner.h"

struct preview_state {
    struct refiner_status room; /* the stage that plays, and the next one */
    bool paused, hears_dry, live;
    int receiver; /* -1: the ears of the head, or the first two receivers as left and right */
    bool has_head;
    struct head_pose pose;
    unsigned long long tracked; /* poses received from a head tracker */
    double level, load;         /* dB; computing time relative to a block's duration */
    double reduction;           /* dB: largest reduction by the limiter since the last line */
    struct mixer_status mixed;
    struct player_status sound;
};

/* `over` redraws the last line of a terminal; else a new line is printed. */
void preview_print_line(const struct preview_state *s, bool over);

void preview_print_summary(const struct preview_state *s);
int preview_print_json(const struct preview_state *s, const char *room, struct error *e);

#endif
