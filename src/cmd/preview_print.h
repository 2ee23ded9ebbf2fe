/* What aula preview says of itself: a line again and again while it plays, a summary or JSON at its end. */
#ifndef AULA_CMD_PREVIEW_PRINT_H
#define AULA_CMD_PREVIEW_PRINT_H

#include "playback/player.h"
#include "preview/mixer.h"
#include "preview/refiner.h"

struct preview_state {
    struct refiner_status room; /* what is heard, and what comes next */
    bool paused, hears_dry, live;
    int receiver;       /* -1: the first two, as left and right */
    double level, load; /* dB; of the time there is for a block */
    double reduction;   /* dB that the limiter took away at most since the last line */
    struct mixer_status mixed;
    struct player_status sound;
};

/* over: drawn over the line before, in a terminal; else a line of its own. */
void preview_print_line(const struct preview_state *s, bool over);

void preview_print_summary(const struct preview_state *s);
int preview_print_json(const struct preview_state *s, const char *room, struct error *e);

#endif
