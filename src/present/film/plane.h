/* SPDX-License-Identifier: MIT */
/* Planes and sizes of pictures on the command line. */
#ifndef AULA_PRESENT_FILM_PLANE_H
#define AULA_PRESENT_FILM_PLANE_H

#include <stddef.h>

#include "base/error.h"

/* Parses "z=1.2", or just an axis, for which *at (m) becomes NaN. ERROR_USAGE. */
int plane_parse(int *axis, double *at, const char *text, struct error *e);

/* Parses "960x540" to pixels. ERROR_USAGE. */
int picture_size_parse(size_t size[2], const char *text, struct error *e);

#endif
