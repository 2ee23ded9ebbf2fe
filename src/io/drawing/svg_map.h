/* SPDX-License-Identifier: MIT */
/* A field over two axes as an SVG: colours for values, in a picture inside the file. */
#ifndef AULA_IO_DRAWING_SVG_MAP_H
#define AULA_IO_DRAWING_SVG_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct svg_map {
    const char *title, *x_label, *y_label, *value_label;
    const double *values; /* [rows][columns], row 0 on top; NaN is as dark as `low` */
    size_t columns, rows;
    double x_min, x_max;
    double y_min, y_max; /* > 0 when logarithmic */
    bool logarithmic;    /* y */
    double low, high;    /* values of the darkest and of the lightest colour */
};

/* Written by output_file_text. Text is escaped. */
int svg_map_text(char **text, const struct svg_map *map, struct error *e); /* in fresh memory */
int svg_map(const char *path, const struct svg_map *map, struct error *e);

#endif
