/* SPDX-License-Identifier: MIT */
/* Fields as pictures: 16-bit grey PNG, to view and to measure. */
#ifndef AULA_IO_DRAWING_PNG_MAP_H
#define AULA_IO_DRAWING_PNG_MAP_H

#include <stddef.h>

#include "base/error.h"

/* values[ny][nx], y upwards; `low` is black (0) and `high` white (65535), and both stand in the file as text chunks
 * "low" and "high". Values beyond are clamped; NaN is black. Written under a temporary name. */
int png_map(const char *path, const double *values, size_t nx, size_t ny, double low, double high, struct error *e);

#endif
