/* SPDX-License-Identifier: MIT */
#include "room/grid/wall_discretization.h"

#include <math.h>

#include "room/grid/absorption.h"
#include "solver/schemes/isotropic19/isotropic19.h"

bool wall_discretization_carries(const struct wall_discretization *clock, double frequency)
{
    if (clock->mapped)
        return !isnan(isotropic19_grid_frequency(frequency / clock->rate));
    return !(clock->rate > 0.0) || frequency < 0.5 * clock->rate;
}

double wall_discretization_grid_frequency(const struct wall_discretization *clock, double frequency)
{
    return clock->mapped ? clock->rate * isotropic19_grid_frequency(frequency / clock->rate) : frequency;
}

struct wall_view wall_discretization_view(const struct wall_discretization *clock, double frequency)
{
    const double grid_frequency = wall_discretization_grid_frequency(clock, frequency);
    return (struct wall_view){
        .angular_frequency = discrete_angular_frequency(grid_frequency, clock->rate),
        .factor = clock->mapped ? isotropic19_wall_factor(isotropic19_wavenumber(grid_frequency / clock->rate)) : 1.0,
    };
}
