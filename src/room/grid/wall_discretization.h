/* SPDX-License-Identifier: MIT */
/* The admittance of a wall as the time steps of a grid realize it. Branches are stepped by the
 * trapezoidal rule: at the grid's frequency f_n their jω is j 2 fs tan(π f_n/fs), the bilinear map.
 * Without a frequency map f_n is the true frequency f. On a mapped grid
 * (solver/schemes/isotropic19/isotropic19.h) f_n(f) is lower, and the waves of the grid see a wall
 * of admittance Y(f) if it is stepped with γ(κ) Y(f), κ = 2π f X/c. The stepped admittance divided
 * by γ is therefore that of the true wall. */
#ifndef AULA_ROOM_GRID_WALL_DISCRETIZATION_H
#define AULA_ROOM_GRID_WALL_DISCRETIZATION_H

#include <stdbool.h>

struct wall_discretization {
    double rate; /* fs, Hz; 0: the continuum */
    bool mapped; /* frequencies are true ones, to be mapped */
    double edge; /* Hz, of the valid band, carried: on a mapped grid walls are matched up to here */
};

/* A wall as stepped, at a true frequency. */
struct wall_view {
    double angular_frequency; /* of its branches, rad/s */
    double factor;            /* γ: admittance stepped over that of the true wall; 1 without a map */
};

/* Whether the time steps carry a true frequency, Hz. */
bool wall_discretization_carries(const struct wall_discretization *clock, double frequency);

/* The grid's frequency, Hz, of a true one that it carries. */
double wall_discretization_grid_frequency(const struct wall_discretization *clock, double frequency);

/* At a true frequency that is carried, Hz. */
struct wall_view wall_discretization_view(const struct wall_discretization *clock, double frequency);

#endif
