/* SPDX-License-Identifier: MIT */
/* Channels of receivers from image paths; the counterpart of render/directions.h for the wave
 * solver. */
#ifndef AULA_RENDER_IMAGE_CHANNELS_H
#define AULA_RENDER_IMAGE_CHANNELS_H

#include "render/hybrid/path_sound.h"
#include "render/image_room.h"

/* Adds the sound of a source of this gain, Pa m, to out [room_channel_count][frames] at
 * sound->rate. Binaural receivers hear each path through the HRTF of its direction; up to `edge`,
 * Hz (0: none), its phase matches the wave solver's. *count grows by the number of paths to all
 * positions. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int image_channels_add(double *out, size_t frames, size_t *count, const struct path_sound *sound,
                       const struct image_room *images, const struct model *m, size_t source, double gain, double edge,
                       struct error *e);

#endif
