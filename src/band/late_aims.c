/* SPDX-License-Identifier: MIT */
#include "band/late_aims.h"

#include <math.h>

#include "base/random.h"

static const double pi = 3.14159265358979323846;
static const double even_share = 0.5;

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

void late_aims_make(struct late_aims *a, const struct late_aim_shares *s, size_t rays)
{
    double share[LATE_AIMS] = {0.0}, sum = 0.0, times = 0.0;
    for (size_t i = 0; i < LATE_AIM_TIMES; i++) {
        double all = 0.0;
        for (size_t c = 0; c < LATE_AIMS; c++)
            all += s->energy[i][c];
        if (!(all > 0.0))
            continue;
        times += 1.0;
        for (size_t c = 0; c < LATE_AIMS; c++)
            share[c] += s->energy[i][c] / all;
    }
    const double even = times > 0.0 ? even_share : 1.0;
    for (size_t c = 0; c < LATE_AIMS; c++) {
        a->first[c] = (size_t)(sum * (double)rays);
        sum += even / LATE_AIMS + (times > 0.0 ? (1.0 - even) * share[c] / times : 0.0);
    }
    a->first[LATE_AIMS] = rays;
}

static size_t cell_of(const struct late_aims *a, size_t index)
{
    size_t low = 0, high = LATE_AIMS;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (a->first[middle] <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct late_aim late_aim_of(const struct late_aims *a, size_t index, uint64_t seed)
{
    const size_t cell = cell_of(a, index), row = cell / LATE_AIM_COLUMNS, column = cell % LATE_AIM_COLUMNS;
    const double count = (double)(a->first[cell + 1] - a->first[cell]), turn = (double)(index - a->first[cell]);
    struct random r = {seed + cell};
    const double along = fraction(random_unit(&r) + turn * step_along),
                 across = fraction(random_unit(&r) + turn * step_across);
    const double z = 2.0 * ((double)row + along) / LATE_AIM_ROWS - 1.0, out = sqrt(fmax(1.0 - z * z, 0.0)),
                 angle = 2.0 * pi * (((double)column + across) / LATE_AIM_COLUMNS - 0.5);
    return (struct late_aim){.direction = {out * cos(angle), out * sin(angle), z},
                             .energy = (double)a->first[LATE_AIMS] / (LATE_AIMS * count)};
}
