/* SPDX-License-Identifier: MIT */
/* Shared by ensemble.c, voice_line.c and overlap.c. */
#ifndef AULA_RENDER_SYNTH_ENSEMBLE_PARTS_H
#define AULA_RENDER_SYNTH_ENSEMBLE_PARTS_H

#include "render/synth/ensemble.h"

/* ERROR_INPUT that gives the instrument's line in the room file. */
int instrument_refused(const struct room *room, const struct instrument *i, struct error *e, const char *why);

/* Makes v->modes, v->line and v->body_voice for the instrument and pitch of v, after all surfaces of s. k: s. */
int voice_line_make(struct voice *v, const struct ensemble *s, const struct room *room, double k, struct error *e);

/* ERROR_INPUT, naming both, when two instruments cross or share a cell of the air. Call before cut_list_finish. */
int ensemble_check_overlap(const struct ensemble *s, const struct room *room, const struct model *m, struct error *e);

#endif
