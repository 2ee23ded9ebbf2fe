/* SPDX-License-Identifier: MIT */
/* Chooses the keys of an instrument that the processor can step in real time. */
#ifndef AULA_RENDER_PLAY_RANGE_CHOICE_H
#define AULA_RENDER_PLAY_RANGE_CHOICE_H

#include "render/play/performer.h"

/* performer_open with three octaves around the pitch of the first string or bar, or with as many notes as it can have
 * and as are stepped 1.5 times faster than real time. Notes are left out only if this makes it faster: it does not if a
 * surface takes the time. Surfaces alone are
 * stepped at a half or a quarter of s->rate if the whole rate is too much. s->range and s->divisor are ignored. */
int performer_open_fitting(struct performer **p, const struct performer_settings *s, struct error *e);

#endif
