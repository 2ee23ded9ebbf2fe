/* SPDX-License-Identifier: MIT */
/* A score as a CSV table: a line of column names, then a line for each event.
 *
 *     time,instrument,place,place2,force,duration,note
 *     0.0,tom,0.3,0.1,20,,
 *     0.5,string,0.2,,,,C#4
 *
 * Columns are named like the keys of score.events, in any order; `place2` is the second number of a
 * place on a membrane or plate. time and instrument are required. An empty field is an absent key.
 * Fields may be quoted (a quote inside is ""), lines may end in CR LF, and the file may begin with
 * a byte order mark. */
#ifndef AULA_RENDER_SYNTH_SCORE_CSV_H
#define AULA_RENDER_SYNTH_SCORE_CSV_H

#include "room/room.h"

/* The events in fresh memory, in the order of the file. Their origins refer to `path`, which is not
 * copied. Checks the ranges of the table of keys and resolves instruments, nothing else.
 * ERROR_INPUT with file and line. */
int score_csv_read(struct event **events, size_t *count, const struct room *room, const char *path, struct error *e);

#endif
