/* SPDX-License-Identifier: MIT */
/* The instruments of a room and their score in the output of aula info. */
#ifndef AULA_APP_INSTRUMENTS_H
#define AULA_APP_INSTRUMENTS_H

#include "render/synth/ensemble.h"

struct cJSON;

/* Empty for a room without instruments. */
struct played {
    const struct room *room;
    struct score score;
    struct ensemble *ensemble; /* NULL: no instruments */
};
int played_make(struct played *p, const struct room *room, const struct model *m, struct error *e);
void played_free(struct played *p);

/* Prints a line for each instrument, each voice and the score to stdout. */
void played_print(const struct played *p);
/* Prints notes and warnings to stderr. */
void played_warn(const struct played *p);
/* Adds the members "voices", "score_events", "score_notes", "instrument_notes" and "instrument_warnings"; none without
 * instruments. */
void played_json(struct cJSON *json, const struct played *p);

#endif
