/* SPDX-License-Identifier: MIT */
/* Line drawings by cairo as SVG inside a page, for light and dark colours, or as pixels.
 *
 * cairo draws geometry and pictures. Added here: its colours become the CSS variables of the page (one drawing serves
 * light, dark and print), and labels are SVG text in the page's font (aula needs no font, and words can be found and
 * copied). Units are those of the viewBox, y down; coordinates are rounded to a quarter, which keeps pages small. */
#ifndef AULA_IO_DRAWING_DRAWING_H
#define AULA_IO_DRAWING_DRAWING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum { DRAWING_SERIES_COUNT = 9 };

/* --ink, --faint, --grid, --solid, --series-0 .. of the page */
enum drawing_colour { DRAWING_INK, DRAWING_FAINT, DRAWING_GRID, DRAWING_SOLID, DRAWING_SERIES };
enum { DRAWING_COLOURS = DRAWING_SERIES + DRAWING_SERIES_COUNT };

struct drawing;

/* name: letters and digits, unique in the page; NULL: a separate SVG file in the light colours. ERROR_MEMORY. */
int drawing_open(struct drawing **d, const char *name, double width, double height, struct error *e);
void drawing_free(struct drawing *d); /* NULL-safe */

/* A picture of pixels, transparent at first, in the light colours; labels by a font of the machine, on light ground, or
 * where there is none by cairo's own. ERROR_MEMORY. */
int drawing_open_pixels(struct drawing **d, size_t columns, size_t rows, struct error *e);
/* Its pixels: [rows][columns], 0xAARRGGBB with the colours multiplied by their opacity, in fresh memory, and frees the
 * drawing. ERROR_MEMORY for any failure since it was opened. */
int drawing_finish_pixels(struct drawing *d, uint32_t **pixels, struct error *e);

/* A path, and its stroke or fill. A stroke consumes the path. */
void drawing_move(struct drawing *d, double x, double y);
void drawing_line(struct drawing *d, double x, double y);
void drawing_close_path(struct drawing *d);
void drawing_circle(struct drawing *d, double x, double y, double radius);
void drawing_stroke(struct drawing *d, int colour, double width);
void drawing_stroke_dashed(struct drawing *d, int colour, double width);
void drawing_fill(struct drawing *d, int colour, double opacity);                /* keeps the path for a stroke */
void drawing_hatch(struct drawing *d, int colour, double width, double spacing); /* likewise */

/* Clips what follows to this rectangle, until drawing_unclip. */
void drawing_clip(struct drawing *d, double x, double y, double width, double height);
void drawing_unclip(struct drawing *d);

/* pixels[rows][columns], 0xRRGGBB, the first row on top, stretched over the rectangle. */
void drawing_image(struct drawing *d, double x, double y, double width, double height, const uint32_t *pixels,
                   size_t columns, size_t rows);

/* anchor: start, middle or end. Lies above everything else; the text is escaped. */
void drawing_text(struct drawing *d, double x, double y, double size, const char *anchor, int colour, const char *text);
/* As drawing_text, turned to read upwards. */
void drawing_text_up(struct drawing *d, double x, double y, double size, const char *anchor, int colour,
                     const char *text);

/* Writes <svg> with `label` for screen readers, and frees the drawing. ERROR_MEMORY for any failure since it was
 * opened. */
int drawing_finish(struct drawing *d, const char *label, FILE *stream, struct error *e);

/* The change that drawing_finish makes to cairo's text, for tests: everything between <svg ..> and </svg>, the marks of
 * colours replaced by CSS variables, and `name` before every id and reference to one; "": a separate file. */
void drawing_adapt(FILE *stream, const char *svg, const char *name);

/* Of a separate file, and of light pages: 0xRRGGBB. */
uint32_t drawing_light(int colour);

/* "var(--ink)", in a buffer of the caller */
const char *drawing_variable(int colour, char text[32]);

#endif
