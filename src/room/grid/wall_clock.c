/* SPDX-License-Identifier: MIT */
#include "room/grid/wall_clock.h"

#include <math.h>

#include "room/grid/absorption.h"
#include "solver/schemes/scheme19/scheme19.h"

bool wall_clock_carries(const struct wall_clock *clock, double frequency)
{
    if (clock->mapped)
        return !isnan(scheme19_grid_frequency(frequency / clock->rate));
    return !(clock->rate > 0.0) || frequency < 0.5 * clock->rate;
}

double wall_clock_grid_frequency(const struct wall_clock *clock, double frequency)
{
    return clock->mapped ? clock->rate * scheme19_grid_frequency(frequency / clock->rate) : frequency;
}

struct wall_view wall_clock_view(const struct wall_clock *clock, double frequency)
{
    const double grid_frequency = wall_clock_grid_frequency(clock, frequency);
    return (struct wall_view){
        .angular_frequency = discrete_angular_frequency(grid_frequency, clock->rate),
        .factor = clock->mapped ? scheme19_wall_factor(scheme19_wavenumber(grid_frequency / clock->rate)) : 1.0,
    };
}
