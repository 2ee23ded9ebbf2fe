/* SPDX-License-Identifier: MIT */
/* How long the geometric half of a render takes on this machine. */
#ifndef AULA_RENDER_GEOMETRIC_TRIAL_H
#define AULA_RENDER_GEOMETRIC_TRIAL_H

#include "room/grid/model.h"

struct geometric_seconds {
    double images, rays; /* rays with the sound that is made of their energies */
    double join;         /* of filters and decays of both halves */
};

/* Of a render of each of `sources` sources apart, `duration` s long, by short trials of its parts with the first
 * source: a few rays, a few receivers, ways of few reflections. Zero where the render has no geometric half.
 * ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int geometric_trial(struct geometric_seconds *seconds, const struct model *m, size_t sources, double duration,
                    struct error *e);

#endif
