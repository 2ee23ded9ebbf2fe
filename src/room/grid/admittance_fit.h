/* SPDX-License-Identifier: MIT */
/* Fits what a wall of known specific admittance Y(f) is stepped with on a mapped grid, theory (44): γ(κ(f)) Y(f) at the
 * grid's frequency ω_n(f) (wall_discretization.h), as branches in parallel, none of D, E, F negative: passive by construction.
 * Even a real Y takes branches, since γ falls with frequency: two, in effect a resistance with a little inertance and a
 * spring. */
#ifndef AULA_ROOM_GRID_ADMITTANCE_FIT_H
#define AULA_ROOM_GRID_ADMITTANCE_FIT_H

#include "room/grid/absorption.h"

struct admittance_fit {
    struct branch branches[BRANCHES_MAX]; /* SI units */
    size_t branch_count;                  /* 0: rigid */
    double worst;                         /* error at the worst frequency up to the clock's edge: see below */
};

/* `wall`: Y(f) in SI units, of at most BRANCHES_MAX branches, its real admittance counted as one. Bounded least squares
 * at log-spaced frequencies from 20 Hz, or 1/300 of the edge where that is lower, to the edge, and around the
 * resonances of `wall`. The error of a frequency is the larger of
 *     |Re ΔY|/(Re Y + floor), |Im ΔY|/(|Y| + floor),   floor = 0.05 min(1, max |Y|) (1 + |Y|²),
 * since a change of Y changes the reflection factor by about 2ΔY/(1 + Y)². From the wall itself, with one branch more
 * each time, until the error is within 0.0065 or one more helps little. Deterministic to the bit. */
void admittance_fit_make(struct admittance_fit *f, const struct admittance *wall,
                         const struct wall_discretization *clock);

#endif
