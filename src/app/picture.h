/* SPDX-License-Identifier: MIT */
/* The picture of a response: its waveform, and the decay of its energy. */
#ifndef AULA_APP_PICTURE_H
#define AULA_APP_PICTURE_H

#include "base/output_set.h"
#include "render/render.h"

enum { PICTURE_CHANNELS = 8 }; /* more lines cannot be told apart */

/* Adds it to the set: channels[count] of the response. */
int picture_of_response(struct output_set *set, const char *path, const struct model *m, const struct rendering *r,
                        const size_t *channels, size_t count, struct error *e);

#endif
