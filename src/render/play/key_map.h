/* SPDX-License-Identifier: MIT */
/* The voice of every key: which instrument and pitch a note of a MIDI channel plays. */
#ifndef AULA_RENDER_PLAY_KEY_MAP_H
#define AULA_RENDER_PLAY_KEY_MAP_H

#include "render/synth/score.h"
#include "room/notes.h"

enum { NO_VOICE = -1 };

struct key_map {
    int voice[MIDI_CHANNELS][MIDI_NOTE_MAX + 1]; /* index of an event of the score, or NO_VOICE */
};

/* Assigns instruments to channels as for a MIDI file: by score.channels, or in their order, the last one to the
 * remaining channels. *s becomes a score with one event, the loudest, for each voice: for the notes from range[0] to
 * range[1] of strings and bars, and one for a membrane or plate, which all notes play. Free *s with score_free. */
int key_map_make(struct key_map *m, struct score *s, const struct room *room, const int range[2], struct error *e);

#endif
