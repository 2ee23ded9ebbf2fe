/* SPDX-License-Identifier: MIT */
/* Where rays leave the source: more of them in the directions whose energy lasts. Where little is scattered and walls absorb
 * unevenly, late sound comes from few directions, of which even rays see next to nothing. Directions are cut into cells of
 * the same solid angle; a ray of a cell carries the cell's energy over the number of its rays. */
#ifndef AULA_BAND_LATE_AIMS_H
#define AULA_BAND_LATE_AIMS_H

#include <stddef.h>
#include <stdint.h>

enum {
    LATE_AIM_ROWS = 16,
    LATE_AIM_COLUMNS = 32,
    LATE_AIMS = LATE_AIM_ROWS * LATE_AIM_COLUMNS,
    LATE_AIM_TIMES = 32,
    LATE_AIM_LEAST = 8 * LATE_AIMS /* rays: with fewer they leave evenly */
};

/* What rays of a pilot have left on their ways, by where they began: energy over the mean, times metres. */
struct late_aim_shares {
    double energy[LATE_AIM_TIMES][LATE_AIMS];
};

struct late_aims {
    size_t first[LATE_AIMS + 1]; /* rays first[cell] .. first[cell + 1] - 1 leave in a cell */
};

struct late_aim {
    double direction[3];
    double energy; /* 1 in the mean of all rays */
};

size_t late_aim_cell(const double direction[3]);

/* place: of the middle of a way over the longest, 0 .. 1. */
void late_aims_see(struct late_aim_shares *s, size_t cell, double place, double energy);

/* Half of the rays leave evenly, half as the energy does in the mean of all times. */
void late_aims_make(struct late_aims *a, const struct late_aim_shares *s, size_t rays);

/* Of ray `index`. */
struct late_aim late_aim_of(const struct late_aims *a, size_t index, uint64_t seed);

#endif
