/* SPDX-License-Identifier: MIT */
/* aula preview --stages: writes the coarse responses of a preview as files. */
#ifndef AULA_APP_PREVIEW_STAGES_H
#define AULA_APP_PREVIEW_STAGES_H

#include "render/preview/stages.h"

/* Writes the response of every stage but the last, which is that of aula render, into `folder`: stage_1.wav with the omni
 * receivers and stage_1_NAME.wav for each other one, from the wave solver on with the JSON beside it. For each stage a line
 * of JSON goes to standard output. s: room, source, choice, and the dry sound at out_rate by which the gain is found.
 * `first`, s: time budget of the first waves. Errors as of stages_render; ERROR_OUTPUT. */
int preview_stages(struct stages *s, const char *folder, double first, struct error *e);

#endif
