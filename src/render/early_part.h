/* SPDX-License-Identifier: MIT */
/* The early geometric half: image sources of a room's sources at its receivers. */
#ifndef AULA_RENDER_EARLY_PART_H
#define AULA_RENDER_EARLY_PART_H

#include "render/image_room.h"

struct early_part {
    double rate;   /* Hz, of the file */
    double low;    /* Hz: right from here on; below, without meaning but short */
    double edge;   /* Hz: of the waves that it joins; 0: none */
    double top[2]; /* Hz: flat up to the first, nothing from the second on */
};

/* Adds what `count` sources from `first`, of these gains [count], Pa m, are heard as to out
 * [room_channel_count][frames]: a filter from Pa m to Pa whose frame 0 is the emission, with the air's losses where the
 * room has them. *ways: to all places. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int early_part_add(double *out, size_t frames, size_t *ways, const struct early_part *half,
                   const struct image_room *images, const struct model *m, size_t first, size_t count,
                   const double *gains, struct error *e);

#endif
