/* SPDX-License-Identifier: MIT */
/* The energy balance of a room, evaluated at intervals. */
#ifndef AULA_VALIDATE_CARTESIAN7_BALANCE_H
#define AULA_VALIDATE_CARTESIAN7_BALANCE_H

#include "validate/scene/scene.h"
#include "validate/validate.h"

struct balance {
    double error;  /* largest |stored + absorbed - supplied - start| over the largest stored energy */
    double growth; /* largest stored energy over its start, minus 1 */
    double rise;   /* largest growth within an interval, over the start */
    double left;   /* stored at the end over its start */
};

/* A room of 41 x 33 x 22 points with a corner taken out, a different wall (codes CELL_SOLID to CELL_SOLID + 6) on each
 * side and on the block; all rigid. Free with scene_free. */
int balance_l_room(struct scene *s, enum precision precision, struct error *e);

/* Runs `steps` steps from noise, evaluating the balance every `part` steps; drive [drive_count][steps], NULL: silence.
 * All NaN when the energy is no finite number. */
int balance_follow(struct balance *b, struct scene *s, struct validation *v, size_t steps, size_t part,
                   const double *drive, struct error *e);

#endif
