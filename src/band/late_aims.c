/* SPDX-License-Identifier: MIT */
#include "band/late_aims.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double aimed_most = 0.7;

/* Steps of an additive sequence that fills the square evenly: powers of the inverse of the root of x³ = x + 1. */
static const double step_along = 0.75487766624669276, step_across = 0.56984029099805327;

static double fraction(double x)
{
    return x - floor(x);
}

size_t late_aim_cell(const double direction[3])
{
    const double along = 0.5 * (direction[2] + 1.0), across = atan2(direction[1], direction[0]) / (2.0 * pi) + 0.5;
    const size_t row = (size_t)fmin(fmax(along * LATE_AIM_ROWS, 0.0), LATE_AIM_ROWS - 1);
    const size_t column = (size_t)fmin(fmax(across * LATE_AIM_COLUMNS, 0.0), LATE_AIM_COLUMNS - 1);
    return row * LATE_AIM_COLUMNS + column;
}

void late_aims_see(struct late_aim_shares *s, size_t cell, double place, double energy)
{
    if (place < 1.0)
        s->energy[(size_t)(place * LATE_AIM_TIMES)][cell] += energy;
}

static double sum_of(const double *energy)
{
    double sum = 0.0;
    for (size_t c = 0; c < LATE_AIMS; c++)
        sum += energy[c];
    return sum;
}

void late_aims_make(struct late_aims *a, const struct late_aim_shares *s, double all, size_t rays)
{
    double sum = 0.0;
    for (size_t c = 0; c <= LATE_AIMS; c++)
        a->below[c] = 0.0;
    for (size_t i = 0; i < LATE_AIM_TIMES; i++) {
        const double here = sum_of(s->energy[i]), unit = fmax(here, all);
        for (size_t c = 0; c < LATE_AIMS && here > 0.0; c++)
            a->below[c + 1] += s->energy[i][c] / unit;
    }
    for (size_t c = 0; c < LATE_AIMS; c++)
        a->below[c + 1] += a->below[c];
    sum = a->below[LATE_AIMS];
    a->aimed = aimed_most * sum / LATE_AIM_TIMES;
    for (size_t c = 0; c <= LATE_AIMS; c++) {
        a->below[c] = sum > 0.0 ? a->below[c] / sum : (double)c / LATE_AIMS;
        const double before = (1.0 - a->aimed) * (double)c / LATE_AIMS + a->aimed * a->below[c];
        a->first[c] = (size_t)(before * (double)rays);
    }
    a->first[LATE_AIMS] = rays;
}

static void direction_in(double direction[3], size_t cell, double along, double across)
{
    const size_t row = cell / LATE_AIM_COLUMNS, column = cell % LATE_AIM_COLUMNS;
    const double z = 2.0 * ((double)row + along) / LATE_AIM_ROWS - 1.0, out = sqrt(fmax(1.0 - z * z, 0.0)),
                 angle = 2.0 * pi * (((double)column + across) / LATE_AIM_COLUMNS - 0.5);
    direction[0] = out * cos(angle);
    direction[1] = out * sin(angle);
    direction[2] = z;
}

struct late_aim late_aim_of(const struct late_aims *a, size_t index, uint64_t seed)
{
    size_t low = 0, high = LATE_AIMS;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (a->first[middle] <= index)
            low = middle;
        else
            high = middle;
    }
    const double count = (double)(a->first[high] - a->first[low]), turn = (double)(index - a->first[low]);
    struct late_aim aim = {.energy = (double)a->first[LATE_AIMS] / (LATE_AIMS * count)};
    struct random r = {seed + low};
    const double along = fraction(random_unit(&r) + turn * step_along),
                 across = fraction(random_unit(&r) + turn * step_across);
    direction_in(aim.direction, low, along, across);
    return aim;
}

void late_aim_draw(double direction[3], const struct late_aims *a, struct random *r)
{
    const double chosen = random_unit(r), along = random_unit(r), across = random_unit(r);
    size_t low = 0, high = LATE_AIMS;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (a->below[middle] <= chosen)
            low = middle;
        else
            high = middle;
    }
    direction_in(direction, low, along, across);
}

double late_aim_density(const struct late_aims *a, const double direction[3])
{
    const size_t cell = late_aim_cell(direction);
    return (a->below[cell + 1] - a->below[cell]) * LATE_AIMS;
}
