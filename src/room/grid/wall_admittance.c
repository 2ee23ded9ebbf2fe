/* SPDX-License-Identifier: MIT */
#include "room/grid/wall_admittance.h"

#include <math.h>

#include "room/grid/absorption.h"

enum { POINTS = 64 }; /* in an octave */

double complex wall_admittance_at(const struct wall_admittance *wall, double frequency)
{
    if (wall->layers.count)
        return layers_admittance(&wall->layers, frequency, 0.0);
    return wall->real + branches_admittance(wall->branches, wall->branch_count, 2.0 * M_PI * frequency);
}

static double absorption_of_layers(const struct layered_wall *layers, double centre)
{
    double sum = 0.0;
    for (int i = 0; i < POINTS; i++) {
        const double frequency = centre * exp2((i + 0.5) / POINTS - 0.5);
        sum += complex_incidence_absorption(layers_admittance(layers, frequency, 0.0), NULL);
    }
    return sum / POINTS;
}

double wall_admittance_absorption(const struct wall_admittance *wall, double centre)
{
    static const struct wall_discretization continuum = {.rate = 0.0};
    const struct admittance y = {wall->real, wall->branches, wall->branch_count};
    if (wall->fixed)
        return NAN;
    return wall->layers.count ? absorption_of_layers(&wall->layers, centre)
                              : octave_mean_absorption(&y, centre, &continuum);
}
