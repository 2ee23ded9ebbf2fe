/* SPDX-License-Identifier: MIT */
/* The picture of a response: its waveform, and the decay of its energy. */
#ifndef AULA_CMD_PICTURE_H
#define AULA_CMD_PICTURE_H

#include "base/output_set.h"
#include "render/render.h"

/* Adds it to the set. */
int picture_of_response(struct output_set *set, const char *path, const struct model *m, const struct rendering *r,
                        struct error *e);

#endif
