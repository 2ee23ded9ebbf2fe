/* SPDX-License-Identifier: MIT */
/* The energy balance of a room, evaluated at intervals. */
#ifndef AULA_VALIDATE_CARTESIAN7_BALANCE_H
#define AULA_VALIDATE_CARTESIAN7_BALANCE_H

#include "validate/scene/scene.h"
#include "validate/validate.h"

struct balance {
    double error;  /* largest |stored + absorbed - supplied - start| over the largest stored energy */
    double growth; /* largest stored energy relative to the start, minus 1 */
    double rise;   /* largest growth within an interval relative to the start */
    double left;   /* stored energy at the end relative to the start */
};

/* A room of 41 x 33 x 22 points with one corner removed, with a different wall (codes CELL_SOLID
 * to CELL_SOLID + 6) on each side and on the removed block; all rigid. Free with scene_free. */
int balance_l_room(struct scene *s, enum precision precision, struct error *e);

/* Runs `steps` steps from noise, evaluating the balance every `part` steps; drive
 * [drive_count][steps], NULL: silence. All results are NaN if the energy is not finite. */
int balance_follow(struct balance *b, struct scene *s, struct validation *v, size_t steps, size_t part,
                   const double *drive, struct error *e);

#endif
