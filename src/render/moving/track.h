/* SPDX-License-Identifier: MIT */
/* The walk around a block of sound: position, weights and gains of the places at every TRACK_STEP-th frame, from
 * TRACK_MARGIN ahead of the block until all arrivals of its sound have been heard. Values in between are interpolated. */
#ifndef AULA_RENDER_MOVING_TRACK_H
#define AULA_RENDER_MOVING_TRACK_H

#include "render/moving/places.h"
#include "render/moving/walk.h"

enum { TRACK_STEP = 64 };
#define TRACK_MARGIN 0.2 /* s: the sound crosses 68 m, more than the reach of a place */

struct track {
    const struct walk *walk;
    const struct moving_places *places;
    double start; /* s: time of the first point */
    size_t points;
    double (*position)[3];   /* [points], m */
    double *weights, *gains; /* [points][places]: of early and late parts */
};

/* block: frames. ERROR_MEMORY. */
int track_make(struct track *t, const struct walk *walk, const struct moving_places *places, size_t block,
               struct error *e);
void track_free(struct track *t); /* safe on a zeroed struct */

/* Positions and weights for the block that begins at a time, s. Gains are those of voices_weigh. */
void track_fill(struct track *t, double time);

/* Place of a time among the points: *point, at most points - 2, and the part of the way to the next, 0 to 1. */
double track_index(const struct track *t, double time, size_t *point);

void track_position(const struct track *t, double time, double position[3]);

/* The value of column `place` of weights or gains. */
double track_value(const struct track *t, const double *values, size_t place, double time);

#endif
