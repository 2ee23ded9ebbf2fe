/* SPDX-License-Identifier: MIT */
/* Directions from which late sound arrives, sample by sample. */
#ifndef AULA_RENDER_HYBRID_LATE_DIRECTIONS_H
#define AULA_RENDER_HYBRID_LATE_DIRECTIONS_H

#include "base/random.h"

/* The distribution of von Mises and Fisher of a mean: the most spread one that has it (Mardia, Jupp 2000, "Directional
 * statistics", 9.3). */
struct late_spread {
    double concentration;             /* κ; 0: uniform */
    double axis[3], across[3], up[3]; /* unit vectors, perpendicular */
};

/* `mean`: of the unit vectors, |mean| <= 1; that of lengths above 0.999 is taken as 0.999. */
struct late_spread late_spread_of(const double mean[3]);

/* A direction (unit vector) by chance. Two numbers are drawn. */
void late_spread_draw(double direction[3], const struct late_spread *spread, struct random *r);

#endif
