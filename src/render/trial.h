/* SPDX-License-Identifier: MIT */
/* Measures the speed of this machine on a grid like the model's. */
#ifndef AULA_RENDER_TRIAL_H
#define AULA_RENDER_TRIAL_H

#include "room/grid/model.h"

/* Points per second, measured for about a tenth of a second on a rigid box of the same x and y extent, cut in z to at
 * most 128 MiB. */
int trial_speed(double *points_per_second, const struct model *m, const struct solver_options *choice, struct error *e);

/* Seconds per step of the model that requires r. On a GPU a remembered time is used. Otherwise the
 * step is timed in the room itself, and remembered for a GPU; a large room is timed on two coarser
 * grids, which separate the costs of air and walls. If that fails, falls back to trial_speed, which
 * ignores walls inside the room. */
int trial_step(double *seconds, const struct model *m, const struct solver_plan *r, const struct solver_options *choice,
               struct error *e);

/* Seconds per step of the model with these solver options, timed in the room itself. */
int trial_room(double *seconds, const struct model *m, const struct solver_options *choice, struct error *e);

#endif
