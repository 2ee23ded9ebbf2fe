/* SPDX-License-Identifier: MIT */
/* The events of a piece, from the room file and the MIDI or CSV file that it names, sorted by time
 * and completed by the instruments' defaults. */
#ifndef AULA_RENDER_SYNTH_SCORE_H
#define AULA_RENDER_SYNTH_SCORE_H

#include <stddef.h>

#include "room/room.h"

struct score {
    struct event *events; /* by time, equal times in their original order; force and duration are positive */
    size_t count;
    size_t left_out; /* MIDI notes on channels that score.channels does not name */
    char *file;      /* storage of origins, in addition to the room's */
    char **remarks;  /* on a MIDI file (midi.h) */
    size_t remark_count;
};

/* Reads the file room->score_file. Place, force and duration default to the instrument's; pitch
 * stays 0 for the instrument's own. Events may lie beyond the room's duration. On failure *s is
 * empty. ERROR_INPUT, with file and line, for a file of another format or one that names what the
 * room lacks. The room must outlive the score. Free with score_free. */
int score_make(struct score *s, const struct room *room, struct error *e);
void score_free(struct score *s); /* safe on a zeroed struct */

/* What a MIDI channel plays, counted from 1: the line of score.channels for this note, or else that for every
 * note (NULL: none); and without score.channels the n-th instrument that is not only driven by others (SIZE_MAX:
 * there are fewer). */
const struct midi_channel *score_channel(const struct room *room, size_t channel, size_t note);
size_t score_instrument(const struct room *room, size_t n);

#endif
