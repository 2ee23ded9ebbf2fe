/* SPDX-License-Identifier: MIT */
/* Gain for a dry sound in a room that is stepped live. */
#ifndef AULA_RENDER_PREVIEW_LIVE_GAIN_H
#define AULA_RENDER_PREVIEW_LIVE_GAIN_H

#include "render/preview/live.h"

/* The gain of render/preview/level.h for the ears of the head (ears NULL: for the first two
 * receivers), from the first half second of the room's response to an inaudible impulse. The room
 * must be at rest. dry: [frames], mono, loops; rate: of the sound card, Hz. */
int live_gain(double *gain, struct live *l, const struct ear_filters *ears, const float *dry, size_t frames,
              double rate, struct error *e);

#endif
