/* SPDX-License-Identifier: MIT */
/* Guided rays: more rays leave the source, and scattering walls, in directions whose energy lasts.
 * With little scattering and uneven absorption, late sound comes from few directions, which evenly
 * spread rays almost miss. Directions are divided into cells of equal solid angle; a ray's energy
 * is the density of even rays over the density of all rays in its cell. */
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
    RAY_GUIDE_LEAST = RAY_GUIDING, /* rays: with fewer, none are aimed */
    LATE_SCOUTS = 8 * RAY_GUIDING  /* guide rays that precede aimed rays, at most as many as rays */
};

/* Remaining energy of guide rays (late_travel.h) by their initial cell: energy relative to the mean
 * of all rays, times metres. */
struct ray_guide_shares {
    double energy[RAY_GUIDE_TIMES][RAY_GUIDING];
};

struct ray_guiding {
    double aimed; /* aimed fraction of rays, at most 0.7; the others leave evenly or by Lambert's law */
    double below[RAY_GUIDING + 1];   /* cumulative distribution of aimed rays over cells */
    double leaving[RAY_GUIDING + 1]; /* the same for all rays that leave the source */
};

struct ray_guide {
    double direction[3];
    double energy; /* 1 on average over all rays */
};

size_t ray_guide_cell(const double direction[3]);

/* place: of the middle of a segment relative to the longest path, 0 .. 1. */
void ray_guiding_see(struct ray_guide_shares *s, size_t cell, double place, double energy);

/* all: sum of the shares of a time without scattering. The aimed fraction is 0.7 of the fraction of
 * energy that is not scattered, averaged over all times. */
void ray_guiding_make(struct ray_guiding *a, const struct ray_guide_shares *s, double all);

/* Direction of ray `index` of `rays` from the source: on a Fibonacci spiral, compressed where more
 * rays leave. The seed shifts the whole spiral. */
struct ray_guide ray_guide_of(const struct ray_guiding *a, size_t index, size_t rays, uint64_t seed);

/* Number of guide rays; 0: none are traced and no ray is aimed. */
size_t guide_ray_count(size_t rays);

/* Largest number of rays that, with their guide rays, does not exceed `all`. */
size_t ray_guide_rays_within(size_t all);

/* Draws the direction of an aimed ray. */
void ray_guide_draw(double direction[3], const struct ray_guiding *a, struct random *r);

/* Density of aimed rays in a direction, relative to the mean over all directions. */
double ray_guide_density(const struct ray_guiding *a, const double direction[3]);

#endif
