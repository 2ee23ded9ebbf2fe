/* SPDX-License-Identifier: MIT */
#include "validate/hybrid/wall_sets.h"

#include <math.h>

const char *const wall_set_names[WALL_SETS] = {"Y = .05", "Y = .2", "Y = .05 and a panel", "Y = .05, .2"};

/* Resonators an octave apart, of Q = √2, that absorb the more the higher they are. */
static double complex panel(double complex omega)
{
    static const double frequency[] = {250.0, 500.0, 1000.0, 2000.0, 4000.0};
    static const double peak[] = {0.01, 0.03, 0.1, 0.3, 0.5};
    double complex sum = 0.0;
    for (int i = 0; i < 5; i++) {
        const double complex x = omega / (2.0 * M_PI * frequency[i]);
        sum += peak[i] / (1.0 + I * M_SQRT2 * (x - 1.0 / x));
    }
    return sum;
}

void wall_set_at(double complex *admittance, enum wall_set set, double complex omega)
{
    for (int wall = 0; wall < FACES; wall++)
        admittance[wall] = set == WALLS_DAMPED || (set == WALLS_MIXED && wall % 3 == 2) ? 0.2 : 0.05;
    if (set == WALLS_PANEL)
        admittance[FACE_Z_MAX] = panel(omega);
}
