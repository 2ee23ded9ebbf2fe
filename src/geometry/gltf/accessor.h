/* SPDX-License-Identifier: MIT */
/* Reads the numbers that a glTF file describes by accessors. */
#ifndef AULA_GEOMETRY_GLTF_ACCESSOR_H
#define AULA_GEOMETRY_GLTF_ACCESSOR_H

#include "geometry/gltf/document.h"

/* Of an accessor (an object of `accessors`) of 1 (SCALAR), 3 (VEC3) or 4 (VEC4) components of any type, scaled where
 * it is normalized: [*count][components], fresh memory. ERROR_INPUT, ERROR_MEMORY. */
int accessor_read(double **values, size_t *count, struct gltf *g, const cJSON *accessor, size_t components,
                  struct error *e);

#endif
