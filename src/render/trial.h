/* SPDX-License-Identifier: MIT */
/* Measures the speed of this machine on a grid like the model's. */
#ifndef AULA_RENDER_TRIAL_H
#define AULA_RENDER_TRIAL_H

#include "room/grid/model.h"

/* Points per second, measured for about a tenth of a second on a rigid box of the same x and y extent, cut in z to at
 * most 128 MiB. */
int trial_speed(double *points_per_second, const struct model *m, const struct solver_options *choice, struct error *e);

/* Seconds of a step of the model, of the requirement r: on a GPU as remembered, else as timed, and remembered on a GPU,
 * in the room itself, a large one on two coarser grids, which tell the costs of air and walls apart; where that cannot
 * be, by trial_speed, which knows no walls within the room. */
int trial_step(double *seconds, const struct model *m, const struct solver_plan *r, const struct solver_options *choice,
               struct error *e);

/* Seconds of a step of the model as this choice takes it, by steps in the room itself. */
int trial_room(double *seconds, const struct model *m, const struct solver_options *choice, struct error *e);

#endif
