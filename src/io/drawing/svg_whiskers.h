/* SPDX-License-Identifier: MIT */
/* Charts of spread as SVG text: a box and whiskers for each category, in panels below each
 * other. */
#ifndef AULA_IO_DRAWING_SVG_WHISKERS_H
#define AULA_IO_DRAWING_SVG_WHISKERS_H

#include <stddef.h>

/* Values that are not finite are left out: a box without limits is its middle line alone. */
struct whiskers {
    double middle;             /* line across the box; NaN: nothing is drawn */
    double box[2], whisker[2]; /* lower and upper end */
};

struct whisker_panel {
    const char *title, *note, *x_label, *y_label; /* note: a line below the title; NULL: none */
    const struct whiskers *list;                  /* [count] */
    const char *const *labels;                    /* [count], below each */
    size_t count;
};

/* One SVG, 900 units wide, in fresh memory; NULL: out of memory. Text is escaped. */
char *svg_whiskers_text(const char *title, const char *legend, const struct whisker_panel *panels, size_t panel_count);

#endif
