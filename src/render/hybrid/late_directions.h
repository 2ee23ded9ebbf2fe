/* SPDX-License-Identifier: MIT */
/* Directions of arrival of late sound, sample by sample. */
#ifndef AULA_RENDER_HYBRID_LATE_DIRECTIONS_H
#define AULA_RENDER_HYBRID_LATE_DIRECTIONS_H

#include "base/random.h"

/* Von Mises-Fisher distribution of a given mean vector, which has the largest entropy of all
 * (Mardia, Jupp 2000, "Directional statistics", 9.3). */
struct late_spread {
    double concentration;             /* κ; 0: uniform */
    double axis[3], across[3], up[3]; /* unit vectors, perpendicular */
};

/* `mean`: mean of the unit vectors, |mean| <= 1; lengths above 0.999 are reduced to 0.999. */
struct late_spread late_spread_of(const double mean[3]);

/* Draws a random direction (unit vector). Takes two numbers. */
void late_spread_draw(double direction[3], const struct late_spread *spread, struct random *r);

#endif
