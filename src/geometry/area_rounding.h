/* SPDX-License-Identifier: MIT */
/* Rounds the area shares of faces to whole units whose sum over a material is its area. */
#ifndef AULA_GEOMETRY_AREA_ROUNDING_H
#define AULA_GEOMETRY_AREA_ROUNDING_H

#include "geometry/areas.h"

/* Rounds factor |n_a| of triangles from .. end - 1, all those of one material, whose faces are counted: up or down,
 * with the error of those before them in their order, which is canonical, so that the sum over all faces is kept. What
 * is left is given to some of the faces of one triangle: the material's split. */
void area_rounding_apply(struct areas *a, const struct snapped *s, size_t from, size_t end, double factor);

#endif
