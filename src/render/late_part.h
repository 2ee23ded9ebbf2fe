/* SPDX-License-Identifier: MIT */
/* The late geometric half: energy rays of a room's sources, as signals at its receivers. */
#ifndef AULA_RENDER_LATE_PART_H
#define AULA_RENDER_LATE_PART_H

#include "render/image_room.h"

struct late_part {
    double rate;         /* Hz, of the file */
    double low;          /* Hz: bands from the octave that holds it on */
    double top[2];       /* Hz: flat up to the first, nothing from the second on */
    size_t rays, pilots; /* from each source; and variance: of struct late_settings */
    double variance;
};

/* Adds what follows the image sources of `images` to out [room_channel_count][frames], as early_part_add. Channels of
 * direction have the patterns of plane waves. The same bits for any number of threads. *lost: rays that met no face.
 * ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int late_part_add(double *out, size_t frames, size_t *lost, const struct late_part *half,
                  const struct image_room *images, const struct model *m, size_t first, size_t count,
                  const double *gains, struct error *e);

/* *level, dB: how far the energy of rays has decayed after `seconds`, in the octave and at the place where it has least
 * (late_decay_level), of any source. Rays take what is left to image sources otherwise. */
int late_part_decay(double *level, double seconds, const struct late_part *half, const struct image_room *images,
                    const struct model *m, size_t first, size_t count, struct error *e);

#endif
