/* SPDX-License-Identifier: MIT */
#include "room/grid/wall_admittance.h"

#include <math.h>

#include "room/grid/absorption.h"

double complex wall_admittance_at(const struct wall_admittance *wall, double frequency)
{
    return wall->real + branches_admittance(wall->branches, wall->branch_count, 2.0 * M_PI * frequency);
}

double wall_admittance_absorption(const struct wall_admittance *wall, double centre)
{
    static const struct wall_discretization continuum = {.rate = 0.0};
    const struct admittance y = {wall->real, wall->branches, wall->branch_count};
    return wall->fixed ? NAN : octave_mean_absorption(&y, centre, &continuum);
}
