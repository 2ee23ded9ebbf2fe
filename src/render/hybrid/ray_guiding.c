/* SPDX-License-Identifier: MIT */
#include "render/hybrid/ray_guiding.h"

#include <math.h>

static const double aimed_most = 0.7;

static const double golden = 0.61803398874989485; /* fraction of a turn between successive rays of a Fibonacci spiral */

static double fraction(double x)
{
    return x - floor(x);
}

void ray_guiding_see(struct ray_guide_shares *s, size_t cell, double place, double energy)
{
    if (place < 1.0)
        s->energy[(size_t)(place * RAY_GUIDE_TIMES)][cell] += energy;
}

static double sum_of(const double *energy)
{
    double sum = 0.0;
    for (size_t c = 0; c < RAY_GUIDING; c++)
        sum += energy[c];
    return sum;
}

size_t guide_ray_count(size_t rays)
{
    return rays < RAY_GUIDE_LEAST ? 0 : rays < LATE_SCOUTS ? rays : LATE_SCOUTS;
}

size_t ray_guide_rays_within(size_t all)
{
    const size_t aimed = all > 2 * (size_t)LATE_SCOUTS ? all - LATE_SCOUTS : all / 2;
    return aimed >= RAY_GUIDE_LEAST ? aimed : all < RAY_GUIDE_LEAST ? all : RAY_GUIDE_LEAST - 1;
}

void ray_guiding_make(struct ray_guiding *a, const struct ray_guide_shares *s, double all)
{
    double sum = 0.0;
    for (size_t c = 0; c <= RAY_GUIDING; c++)
        a->below[c] = 0.0;
    for (size_t i = 0; i < RAY_GUIDE_TIMES; i++) {
        const double here = sum_of(s->energy[i]), unit = fmax(here, all);
        for (size_t c = 0; c < RAY_GUIDING && here > 0.0; c++)
            a->below[c + 1] += s->energy[i][c] / unit;
    }
    for (size_t c = 0; c < RAY_GUIDING; c++)
        a->below[c + 1] += a->below[c];
    sum = a->below[RAY_GUIDING];
    a->aimed = aimed_most * sum / RAY_GUIDE_TIMES;
    for (size_t c = 0; c <= RAY_GUIDING; c++) {
        a->below[c] = sum > 0.0 ? a->below[c] / sum : (double)c / RAY_GUIDING;
        a->leaving[c] = (1.0 - a->aimed) * (double)c / RAY_GUIDING + a->aimed * a->below[c];
    }
}

struct ray_guide ray_guide_of(const struct ray_guiding *a, size_t index, size_t rays, uint64_t seed)
{
    struct random r = {seed};
    struct ray_guide aim;
    const double along = ((double)index + random_unit(&r)) / (double)rays,
                 across = fraction(random_unit(&r) + (double)index * golden);
    const size_t cell = ray_guide_direction(aim.direction, a->leaving, along, across);
    aim.energy = 1.0 / (RAY_GUIDING * (a->leaving[cell + 1] - a->leaving[cell]));
    return aim;
}
