/* SPDX-License-Identifier: MIT */
/* Estimates how long the geometric part of a render takes on this machine. */
#ifndef AULA_RENDER_GEOMETRIC_TRIAL_H
#define AULA_RENDER_GEOMETRIC_TRIAL_H

#include "room/grid/model.h"

struct geometric_seconds {
    double images, rays; /* `rays` includes the synthesis of late sound */
    double join;         /* filters and decays of the join */
};

/* Seconds for separate renders of `sources` sources of `duration` s, extrapolated from short trials
 * with the first source: few rays, few receivers, low reflection orders. Zero if the render has no
 * geometric part. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int geometric_trial(struct geometric_seconds *seconds, const struct model *m, size_t sources, double duration,
                    struct error *e);

#endif
