/* SPDX-License-Identifier: MIT */
/* Directions in which rays leave the source, and walls that scatter: more of them where energy lasts. Where little is
 * scattered and walls absorb unevenly, late sound comes from few directions, of which even rays see next to nothing.
 * Directions are cut into cells of the same solid angle; a ray's energy is the density of even rays over that of all
 * rays in its cell. */
#ifndef AULA_RENDER_HYBRID_LATE_AIMS_H
#define AULA_RENDER_HYBRID_LATE_AIMS_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

enum {
    LATE_AIM_ROWS = 64,
    LATE_AIM_COLUMNS = 128,
    LATE_AIMS = LATE_AIM_ROWS * LATE_AIM_COLUMNS,
    LATE_AIM_TIMES = 16,
    LATE_AIM_LEAST = LATE_AIMS, /* rays: with fewer none are aimed */
    LATE_SCOUTS = 8 * LATE_AIMS /* that go ahead where rays are aimed, or as many as rays */
};

/* What scouts (late_travel.h) have left on their ways, by where they began: energy over the mean of all rays, times
 * metres. */
struct late_aim_shares {
    double energy[LATE_AIM_TIMES][LATE_AIMS];
};

struct late_aims {
    double aimed;                  /* of rays, 0.7 at most; the others leave evenly, or as Lambert's law has it */
    double below[LATE_AIMS + 1];   /* of the aimed ones, the part in the cells before */
    double leaving[LATE_AIMS + 1]; /* the same of all that leave the source */
};

struct late_aim {
    double direction[3];
    double energy; /* 1 in the mean of all rays */
};

size_t late_aim_cell(const double direction[3]);

/* place: of the middle of a way over the longest, 0 .. 1. */
void late_aims_see(struct late_aim_shares *s, size_t cell, double place, double energy);

/* all: what the shares of a time sum up to where nothing is scattered. The part of rays that are aimed is 0.7 of the
 * part of the energy that is not, in the mean of all times. */
void late_aims_make(struct late_aims *a, const struct late_aim_shares *s, double all);

/* Of ray `index` of `rays` that leave the source: on a Fibonacci spiral that is drawn together where more leave. The
 * seed shifts all of it. */
struct late_aim late_aim_of(const struct late_aims *a, size_t index, size_t rays, uint64_t seed);

/* How many rays go ahead to find where energy lasts; 0: none, none are aimed. */
size_t late_aim_scouts(size_t rays);

/* The most rays that are no more than `all` together with their scouts. */
size_t late_aim_rays_within(size_t all);

/* A direction of an aimed ray, by chance. */
void late_aim_draw(double direction[3], const struct late_aims *a, struct random *r);

/* How many aimed rays have a direction, over the mean of all directions. */
double late_aim_density(const struct late_aims *a, const double direction[3]);

#endif
