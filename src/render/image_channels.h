/* SPDX-License-Identifier: MIT */
/* The channels of receivers from ways of image sources: what render/directions.h makes of the waves' taps. */
#ifndef AULA_RENDER_IMAGE_CHANNELS_H
#define AULA_RENDER_IMAGE_CHANNELS_H

#include "render/hybrid/path_sound.h"
#include "render/image_room.h"

/* Adds the sound of a source with this gain, Pa m, to out [room_channel_count][frames] at sound->rate. Two ears hear
 * each way by the HRTF of its direction, whose phase up to the edge of the waves that it joins, Hz (0: none), is as
 * they have it. *count grows by the number of ways to all places. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int image_channels_add(double *out, size_t frames, size_t *count, const struct path_sound *sound,
                       const struct image_room *images, const struct model *m, size_t source, double gain, double edge,
                       struct error *e);

#endif
