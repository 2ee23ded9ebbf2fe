/* SPDX-License-Identifier: MIT */
/* Areas of the regions of a sphere that are nearest to each of some directions (spherical Voronoi regions). */
#ifndef AULA_DSP_SPACE_SPHERE_AREAS_H
#define AULA_DSP_SPACE_SPHERE_AREAS_H

#include <stddef.h>

#include "base/error.h"

/* areas [count], sum 1, by counting the points of a Fibonacci lattice: at least 20,000, 20 for each direction. Equal
 * directions: the first has the area. ERROR_MEMORY. */
int sphere_areas(double *areas, const double (*directions)[3], size_t count, struct error *e);

#endif
