/* A score as a table: one line of column names, then a line for each event.
 *
 *     time,instrument,place,place2,force,duration,note
 *     0.0,tom,0.3,0.1,20,,
 *     0.5,string,0.2,,,,C#4
 *
 * The columns are named as the keys of score.events, `place2` is the second number of a place on a membrane or plate,
 * and they stand in any order; time and instrument have to be there. An empty field is as a key that is not given.
 * Fields may stand in "" (a quote inside is ""), lines may end in CR LF, and the file may begin with a byte order mark.
 */
#ifndef AULA_SYNTH_SCORE_CSV_H
#define AULA_SYNTH_SCORE_CSV_H

#include "room/room.h"

/* The events in fresh memory, in the order of the file, with `path` as the file of their origins (it is kept, not
 * copied). What they say is in the ranges of the table of keys, and their instruments are found; nothing else is
 * checked. ERROR_INPUT with file and line. */
int score_csv_read(struct event **events, size_t *count, const struct room *room, const char *path, struct error *e);

#endif
