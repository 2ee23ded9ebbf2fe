/* SPDX-License-Identifier: MIT */
/* Closed forms of the lowest modes of membranes. */
#include <math.h>

#include "render/synth/surface.h"
#include "room/instrument.h"

double membrane_pitch(const struct surface_plan *p)
{
    const double a = 2.0 * p->half[0], b = 2.0 * p->half[1], radius = p->half[0];
    const double inverse_square = 1.0 / (a * a) + 1.0 / (b * b);
    return (p->outline == SURFACE_CIRCLE ? J0_FIRST_ZERO / (2.0 * M_PI * radius) : 0.5 * sqrt(inverse_square)) *
           sqrt(p->tension / p->density);
}
