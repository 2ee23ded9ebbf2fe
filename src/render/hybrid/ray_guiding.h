/* SPDX-License-Identifier: MIT */
/* Directions in which rays leave the source, and walls that scatter: more of them where energy lasts. Where little is
 * scattered and walls absorb unevenly, late sound comes from few directions, of which even rays see next to nothing.
 * Directions are cut into cells of the same solid angle; a ray's energy is the density of even rays over that of all
 * rays in its cell. */
#ifndef AULA_RENDER_HYBRID_RAY_GUIDING_H
#define AULA_RENDER_HYBRID_RAY_GUIDING_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

enum {
    RAY_GUIDE_ROWS = 64,
    RAY_GUIDE_COLUMNS = 128,
    RAY_GUIDING = RAY_GUIDE_ROWS * RAY_GUIDE_COLUMNS,
    RAY_GUIDE_TIMES = 16,
    RAY_GUIDE_LEAST = RAY_GUIDING, /* rays: with fewer none are aimed */
    LATE_SCOUTS = 8 * RAY_GUIDING  /* that go ahead where rays are aimed, or as many as rays */
};

/* What guide rays (late_travel.h) have left on their ways, by where they began: energy over the mean of all rays, times
 * metres. */
struct ray_guide_shares {
    double energy[RAY_GUIDE_TIMES][RAY_GUIDING];
};

struct ray_guiding {
    double aimed;                    /* of rays, 0.7 at most; the others leave evenly, or as Lambert's law has it */
    double below[RAY_GUIDING + 1];   /* of the aimed ones, the part in the cells before */
    double leaving[RAY_GUIDING + 1]; /* the same of all that leave the source */
};

struct ray_guide {
    double direction[3];
    double energy; /* 1 in the mean of all rays */
};

size_t ray_guide_cell(const double direction[3]);

/* place: of the middle of a way over the longest, 0 .. 1. */
void ray_guiding_see(struct ray_guide_shares *s, size_t cell, double place, double energy);

/* all: what the shares of a time sum up to where nothing is scattered. The part of rays that are aimed is 0.7 of the
 * part of the energy that is not, in the mean of all times. */
void ray_guiding_make(struct ray_guiding *a, const struct ray_guide_shares *s, double all);

/* Of ray `index` of `rays` that leave the source: on a Fibonacci spiral that is drawn together where more leave. The
 * seed shifts all of it. */
struct ray_guide ray_guide_of(const struct ray_guiding *a, size_t index, size_t rays, uint64_t seed);

/* How many rays go ahead to find where energy lasts; 0: none, none are aimed. */
size_t guide_ray_count(size_t rays);

/* The most rays that are no more than `all` together with their guide rays. */
size_t ray_guide_rays_within(size_t all);

/* A direction of an aimed ray, by chance. */
void ray_guide_draw(double direction[3], const struct ray_guiding *a, struct random *r);

/* How many aimed rays have a direction, over the mean of all directions. */
double ray_guide_density(const struct ray_guiding *a, const double direction[3]);

#endif
