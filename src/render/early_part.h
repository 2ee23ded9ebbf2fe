/* SPDX-License-Identifier: MIT */
/* The early part: sound of image sources at the receivers of a room. */
#ifndef AULA_RENDER_EARLY_PART_H
#define AULA_RENDER_EARLY_PART_H

#include "render/hybrid/path_sound.h"
#include "render/image_room.h"

struct early_part {
    double rate;   /* Hz: rate of the output */
    double low;    /* Hz: accurate above; below, the response is short but has no meaning */
    double edge;   /* Hz: upper edge of the wave solver's band to join; 0: none */
    double top[2]; /* Hz: flat up to the first, zero from the second on */
};

/* Filters of the paths of a room, with the walls and the air of the model. Free with
 * path_sound_free. ERROR_MEMORY, ERROR_STOPPED. */
int early_part_sound_make(struct path_sound *sound, const struct early_part *half, const struct image_room *images,
                          const struct model *m, struct error *e);

/* Adds the sound of `count` sources from `first`, with gains [count] in Pa m, to out
 * [room_channel_count][frames]: filters from Pa m to Pa whose frame 0 is the emission, with air
 * absorption if the room has it. *ways: paths to all positions. ERROR_MEMORY, ERROR_INPUT,
 * ERROR_STOPPED. */
int early_part_add(double *out, size_t frames, size_t *ways, const struct early_part *half,
                   const struct image_room *images, const struct model *m, size_t first, size_t count,
                   const double *gains, struct error *e);

#endif
