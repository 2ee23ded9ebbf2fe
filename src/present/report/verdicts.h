/* SPDX-License-Identifier: MIT */
/* Responses judged by targets: in words, and as tables of limits. */
#ifndef AULA_PRESENT_REPORT_VERDICTS_H
#define AULA_PRESENT_REPORT_VERDICTS_H

#include <stdio.h>

#include "dsp/measure/target.h"
#include "present/report/cover.h"

/* m3: `given` or, where that is 0, the volume of the response; NaN: not known. */
double verdict_volume(const struct subject *s, double given);

/* Judges the mean over the channels. room: what was judged. */
void verdict_of(struct judgement *j, struct target_room *room, const struct target *target, const struct subject *s,
                double volume);

/* "FAIL", "FAIL, DOUBTFUL", "GRADE C", "NOT JUDGED" in a box. */
void verdict_badge(FILE *stream, const struct judgement *j, const struct target_room *room,
                   const struct target *target);

/* The rest of a sentence that begins with the name of the response. */
void verdict_words(FILE *stream, const struct judgement *j, const struct target_room *room,
                   const struct target *target);

/* The section with a table of limits for each target and response; nothing without targets. */
void verdicts_write(FILE *stream, const struct cover *c, const struct subject *subjects, size_t count);

#endif
