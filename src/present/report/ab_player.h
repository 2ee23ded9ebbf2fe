/* SPDX-License-Identifier: MIT */
/* A player that switches between sounds without a gap, at the same place in the music and with one gain. */
#ifndef AULA_PRESENT_REPORT_AB_PLAYER_H
#define AULA_PRESENT_REPORT_AB_PLAYER_H

#include <stdio.h>

#include "io/audio_file.h"

struct ab_sound {
    const char *name;
    const struct audio *audio;
    size_t first, channels; /* channels played: 1 or 2 from `first` on */
    double gain;            /* of this sound, before the one gain that brings the largest peak to full scale */
};

/* What a page compares by ear; count 0: nothing. */
struct ab_list {
    const struct ab_sound *sounds; /* [count] */
    size_t count;
    const char *caption; /* and how levels compare */
};

/* The sounds and their player, which ab_player_script drives. */
int ab_player_write(FILE *stream, const struct ab_list *list, struct error *e);

/* <script> for all players of a page, and its source for the content security policy: 'sha256-...'. */
void ab_player_script(FILE *stream);
void ab_player_policy(FILE *stream);

#endif
