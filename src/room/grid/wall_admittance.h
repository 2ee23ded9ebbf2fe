/* SPDX-License-Identifier: MIT */
/* The specific admittance of a material over the whole audible band. It is the same for every grid,
 * scheme and precision and for both parts of a hybrid response. Grids step branches that are fitted
 * to it (admittance_fit.h). */
#ifndef AULA_ROOM_GRID_WALL_ADMITTANCE_H
#define AULA_ROOM_GRID_WALL_ADMITTANCE_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "room/layers/layers.h"

struct wall_admittance {
    bool fixed;                           /* p = 0: the reflection factor is -1, and the rest says nothing */
    double real;                          /* specific admittance */
    struct branch branches[BRANCHES_MAX]; /* and these in parallel, SI units; above 8 kHz they go on as they are */
    size_t branch_count;
    struct layered_wall layers; /* count above 0: Y is theirs, at normal incidence, and the rest says nothing */
};

/* Y at a frequency > 0, Hz, e^{jωt}; Re Y >= 0. Not of a fixed wall. */
double complex wall_admittance_at(const struct wall_admittance *wall, double frequency);

/* Mean absorption at random incidence over the octave around `centre`, Hz, uniform in log frequency; NaN of a fixed
 * wall. */
double wall_admittance_absorption(const struct wall_admittance *wall, double centre);

#endif
