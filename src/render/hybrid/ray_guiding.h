/* SPDX-License-Identifier: MIT */
/* Guided rays: more rays leave the source, and scattering walls, in directions whose energy lasts.
 * With little scattering and uneven absorption, late sound comes from few directions, which evenly
 * spread rays almost miss. Directions are divided into cells of equal solid angle; a ray's energy
 * is the density of even rays over the density of all rays in its cell. */
#ifndef AULA_RENDER_HYBRID_RAY_GUIDING_H
#define AULA_RENDER_HYBRID_RAY_GUIDING_H

#include <math.h>
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

ON_DEVICE size_t ray_guide_cell(const double direction[3])
{
    const double along = 0.5 * (direction[2] + 1.0), across = atan2(direction[1], direction[0]) / (2.0 * M_PI) + 0.5;
    const size_t row = (size_t)fmin(fmax(along * RAY_GUIDE_ROWS, 0.0), RAY_GUIDE_ROWS - 1.0);
    const size_t column = (size_t)fmin(fmax(across * RAY_GUIDE_COLUMNS, 0.0), RAY_GUIDE_COLUMNS - 1.0);
    return row * RAY_GUIDE_COLUMNS + column;
}

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

/* A step of a cumulative distribution, and the relative position of a value in it, 0 .. 1. */
struct ray_guide_step {
    size_t index;
    double beyond;
};

/* Finds a value in below[stride * i], i = 0 .. count, which is ascending. */
ON_DEVICE struct ray_guide_step ray_guide_step_at(const double *below, size_t stride, size_t count, double value)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (below[stride * middle] <= value)
            low = middle;
        else
            high = middle;
    }
    const double from = below[stride * low], to = below[stride * (low + 1)];
    const struct ray_guide_step step = {low, to > from ? fmin((value - from) / (to - from), 1.0) : 0.0};
    return step;
}

/* Inversion: two uniform numbers in 0 .. 1 yield a direction from the distribution whose cumulative
 * sums over cells are `below`, first its row, then its cell in the row. Returns the cell. */
ON_DEVICE size_t ray_guide_direction(double direction[3], const double *below, double along, double across)
{
    const struct ray_guide_step row = ray_guide_step_at(below, RAY_GUIDE_COLUMNS, RAY_GUIDE_ROWS, along);
    const double *here = below + row.index * RAY_GUIDE_COLUMNS;
    const struct ray_guide_step column =
        ray_guide_step_at(here, 1, RAY_GUIDE_COLUMNS, here[0] + across * (here[RAY_GUIDE_COLUMNS] - here[0]));
    const double z = 2.0 * ((double)row.index + row.beyond) / RAY_GUIDE_ROWS - 1.0, out = sqrt(fmax(1.0 - z * z, 0.0)),
                 angle = 2.0 * M_PI * (((double)column.index + column.beyond) / RAY_GUIDE_COLUMNS - 0.5);
    direction[0] = out * cos(angle);
    direction[1] = out * sin(angle);
    direction[2] = z;
    return row.index * RAY_GUIDE_COLUMNS + column.index;
}

/* Draws the direction of an aimed ray. */
ON_DEVICE void ray_guide_draw(double direction[3], const struct ray_guiding *a, struct random *r)
{
    const double along = random_unit(r), across = random_unit(r);
    ray_guide_direction(direction, a->below, along, across);
}

/* Density of aimed rays in a direction, relative to the mean over all directions. */
ON_DEVICE double ray_guide_density(const struct ray_guiding *a, const double direction[3])
{
    const size_t cell = ray_guide_cell(direction);
    return (a->below[cell + 1] - a->below[cell]) * RAY_GUIDING;
}

#endif
