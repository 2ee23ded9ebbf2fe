/* What is played, and when: the events of the room file and of the MIDI or CSV file that it names, in one list in the
 * order of time, with every default of the instruments filled in.  */
#ifndef AULA_SYNTH_SCORE_H
#define AULA_SYNTH_SCORE_H

#include <stddef.h>

#include "room/room.h"

struct score {
    struct event *events; /* by time, those of one time in the order they were given; force and duration above 0 */
    size_t count;
    size_t left_out; /* notes of the MIDI file on channels that score.channels does not name */
    char *file;      /* what origins point to, beside the room's own */
};

/* Reads what room->score_file names. An event's place, force and duration are the instrument's where it gives none; its
 * pitch stays 0 for the instrument's own. An event may lie beyond the room's duration. On failure (ERROR_INPUT: the file
 * is not what its name says, or names what the room does not have) *s is empty and the message names file and line.
 * The room has to outlive the score. Free with score_free. */
int score_make(struct score *s, const struct room *room, struct error *e);
void score_free(struct score *s); /* safe on a zeroed struct */

#endif
