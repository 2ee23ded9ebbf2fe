/* SPDX-License-Identifier: MIT */
#include "render/hybrid/ray_guiding.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double aimed_most = 0.7;

static const double golden = 0.61803398874989485; /* fraction of a turn between successive rays of a Fibonacci spiral */

static double fraction(double x)
{
    return x - floor(x);
}

size_t ray_guide_cell(const double direction[3])
{
    const double along = 0.5 * (direction[2] + 1.0), across = atan2(direction[1], direction[0]) / (2.0 * pi) + 0.5;
    const size_t row = (size_t)fmin(fmax(along * RAY_GUIDE_ROWS, 0.0), RAY_GUIDE_ROWS - 1);
    const size_t column = (size_t)fmin(fmax(across * RAY_GUIDE_COLUMNS, 0.0), RAY_GUIDE_COLUMNS - 1);
    return row * RAY_GUIDE_COLUMNS + column;
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

/* A step of a cumulative distribution, and the relative position of a value in it, 0 .. 1. */
struct step {
    size_t index;
    double beyond;
};

/* Finds a value in below[stride * i], i = 0 .. count, which is ascending. */
static struct step step_at(const double *below, size_t stride, size_t count, double value)
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
    return (struct step){low, to > from ? fmin((value - from) / (to - from), 1.0) : 0.0};
}

/* Inversion: two uniform numbers in 0 .. 1 yield a direction from the distribution whose cumulative
 * sums over cells are `below`, first its row, then its cell in the row. Returns the cell. */
static size_t direction_of(double direction[3], const double *below, double along, double across)
{
    const struct step row = step_at(below, RAY_GUIDE_COLUMNS, RAY_GUIDE_ROWS, along);
    const double *here = below + row.index * RAY_GUIDE_COLUMNS;
    const struct step column =
        step_at(here, 1, RAY_GUIDE_COLUMNS, here[0] + across * (here[RAY_GUIDE_COLUMNS] - here[0]));
    const double z = 2.0 * ((double)row.index + row.beyond) / RAY_GUIDE_ROWS - 1.0, out = sqrt(fmax(1.0 - z * z, 0.0)),
                 angle = 2.0 * pi * (((double)column.index + column.beyond) / RAY_GUIDE_COLUMNS - 0.5);
    direction[0] = out * cos(angle);
    direction[1] = out * sin(angle);
    direction[2] = z;
    return row.index * RAY_GUIDE_COLUMNS + column.index;
}

struct ray_guide ray_guide_of(const struct ray_guiding *a, size_t index, size_t rays, uint64_t seed)
{
    struct random r = {seed};
    struct ray_guide aim;
    const double along = ((double)index + random_unit(&r)) / (double)rays,
                 across = fraction(random_unit(&r) + (double)index * golden);
    const size_t cell = direction_of(aim.direction, a->leaving, along, across);
    aim.energy = 1.0 / (RAY_GUIDING * (a->leaving[cell + 1] - a->leaving[cell]));
    return aim;
}

void ray_guide_draw(double direction[3], const struct ray_guiding *a, struct random *r)
{
    const double along = random_unit(r), across = random_unit(r);
    direction_of(direction, a->below, along, across);
}

double ray_guide_density(const struct ray_guiding *a, const double direction[3])
{
    const size_t cell = ray_guide_cell(direction);
    return (a->below[cell + 1] - a->below[cell]) * RAY_GUIDING;
}
