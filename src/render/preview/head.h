/* SPDX-License-Identifier: MIT */
/* A head that turns in a field while it sounds: from the channels of an ambisonic field (AmbiX) to two ears.
 *
 * The field is turned against the head in the domain of its harmonics (dsp/space/harmonics.h) and goes through the filters
 * of the ears. The head moves to where it was told to by at most HEAD_SPEED on the shortest way; within a block the
 * turn goes linearly from one to the next, so that no turn clicks. One thread runs it; it may be turned from any
 * thread. */
#ifndef AULA_RENDER_PREVIEW_HEAD_H
#define AULA_RENDER_PREVIEW_HEAD_H

#include <stddef.h>

#include "base/error.h"
#include "dsp/ears/ear_filters.h"

#define HEAD_SPEED 500.0 /* degrees/s */

struct head;

/* Degrees, as receivers[].orientation: yaw to the left, pitch down, roll with the left ear up. */
struct head_pose {
    double yaw, pitch, roll;
};

/* The ears of no HRTF: two cardioids of order 1 that look to the left and to the right, as filters of one tap. `order`:
 * of the field, at least 1. ERROR_MEMORY. */
int head_cardioids(struct ear_filters *ears, int order, double rate, struct error *e);

/* ears: filters for the field at the rate at which it sounds; copied. block: frames per call. The head looks along
 * x. */
int head_make(struct head **h, const struct ear_filters *ears, size_t block, struct error *e);
void head_free(struct head *h); /* NULL-safe */

/* Angles of any size; those that are no numbers are ignored. Does not wait. */
void head_turn(struct head *h, const struct head_pose *pose);
struct head_pose head_pose(const struct head *h); /* the last that was asked for, within -180..180, to 1/4096 degree */

/* One block: field [ears->channels] pointers to [block], heard [2] likewise. Does not allocate, lock or wait. */
void head_run(struct head *h, const float *const *field, float *const *heard);

#endif
