/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_edges.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double strength = 12.0; /* v = 12 b ε */
static const double closest = 1e-6;  /* wavelengths: closer than that all angles are alike */

double late_edge_angle(double wavelengths, double uniform)
{
    const double rate = M_SQRT2 * strength * fmax(wavelengths, closest);
    return tan(uniform * atan(0.5 * pi * rate)) / rate;
}

double late_edge_chance(double wavelengths, double angle)
{
    const double rate = M_SQRT2 * strength * fmax(wavelengths, closest);
    return atan(rate * angle) / atan(0.5 * pi * rate);
}

/* Rodrigues' formula, and unit length again. */
void late_edge_turn(double direction[3], const double axis[3], double angle)
{
    double turned[3], along = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++)
        along += axis[k] * direction[k];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        turned[k] = cos(angle) * direction[k] + sin(angle) * (axis[i] * direction[j] - axis[j] * direction[i]) +
                    (1.0 - cos(angle)) * along * axis[k];
        square += turned[k] * turned[k];
    }
    for (int k = 0; k < 3; k++)
        direction[k] = turned[k] / sqrt(square);
}
