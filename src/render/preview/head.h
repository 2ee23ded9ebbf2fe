/* SPDX-License-Identifier: MIT */
/* A head that turns while it listens: from the channels of an ambisonic field (AmbiX) to two ears.
 *
 * The field is rotated against the head in the spherical-harmonic domain (dsp/space/harmonics.h)
 * and passes through the filters of the ears. The head turns towards the requested pose at no more
 * than HEAD_SPEED, the shortest way. Within a block the rotation is interpolated linearly, which
 * avoids clicks. One thread runs the head; any thread may turn it. */
#ifndef AULA_RENDER_PREVIEW_HEAD_H
#define AULA_RENDER_PREVIEW_HEAD_H

#include <stddef.h>

#include "base/error.h"
#include "dsp/ears/ear_filters.h"

#define HEAD_SPEED 500.0 /* degrees/s */

struct head;

/* Degrees, like receivers[].orientation: yaw to the left, pitch down, roll with the left ear up. */
struct head_pose {
    double yaw, pitch, roll;
};

/* Ears without an HRTF: two first-order cardioids facing left and right, as filters of one tap.
 * `order`: of the field, at least 1. ERROR_MEMORY. */
int head_cardioids(struct ear_filters *ears, int order, double rate, struct error *e);

/* ears: copied; filters for the field at the playback rate. block: frames per call. The head
 * initially faces x. */
int head_make(struct head **h, const struct ear_filters *ears, size_t block, struct error *e);
void head_free(struct head *h); /* NULL-safe */

/* Any angles; those that are not finite are ignored. Does not wait. */
void head_turn(struct head *h, const struct head_pose *pose);
struct head_pose head_pose(const struct head *h); /* the requested pose, within -180..180, to 1/4096 degree */

/* One block: field [ears->channels] pointers to [block], heard [2] likewise. Does not allocate, lock or wait. */
void head_run(struct head *h, const float *const *field, float *const *heard);

#endif
