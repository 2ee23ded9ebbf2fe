/* SPDX-License-Identifier: MIT */
/* The sheet that films and maps are drawn on: windows that show the field, and an overlay common to all frames with the
 * edges of the room, marks, names, scale bar and colour scale. */
#ifndef AULA_PRESENT_FILM_CANVAS_H
#define AULA_PRESENT_FILM_CANVAS_H

#include "present/film/colours.h"
#include "present/film/slice_sampler.h"

enum { PAPER_WINDOWS_MAX = 64, PAPER_LINES_MAX = 2, PAPER_SIZE_MAX = 4096 };

struct canvas_window {
    double x, y;                        /* pixels: its upper left corner */
    const char *caption;                /* above it, or NULL */
    const struct film_colours *colours; /* with their scale beside the window; NULL: as the first one's, drawn once */
    const char *unit;                   /* of the scale */
};

struct canvas {
    size_t columns, rows;
    struct film_view view; /* of each window */
    struct canvas_window window[PAPER_WINDOWS_MAX];
    size_t window_count;
    const char *title;
    const char *lines[PAPER_LINES_MAX]; /* below; NULL: none */
    const struct film_colours *colours; /* of all windows, with one scale; NULL: each has its own */
    const char *unit;
    uint32_t *overlay; /* [rows][columns], as drawing_finish_pixels */
    uint32_t *picture; /* [rows][columns], 0xRRGGBB: the frame in work */
};

/* Lays out `windows` windows of the view in rows of `across`: sets sizes, places and view->scale. width, height: of
 * the sheet, pixels, even; 0: what suits. own_scales: each window has a colour scale beside it. ERROR_USAGE if
 * no space is left for the picture; the message names --size. */
int canvas_lay_out(struct canvas *p, const struct film_view *view, size_t windows, size_t across, bool own_scales,
                   size_t width, size_t height, struct error *e);

/* Draws the overlay. ERROR_MEMORY. */
int canvas_draw(struct canvas *p, const struct model *m, const struct slice_sampler *s, struct error *e);

/* Begins a frame with an empty sheet. */
void canvas_begin(struct canvas *p);

/* Fills a window with the field; values: [s->tap_count]. NaN is grey. Once a stop is requested the rest stays as it
 * is. */
void canvas_show(struct canvas *p, size_t window, const struct slice_sampler *s, const struct film_colours *colours,
                 const float *values);

/* Completes a frame by drawing the overlay on top. */
void canvas_lay_over(struct canvas *p);

/* A text in the corner above a window, right-aligned. ERROR_MEMORY. */
int canvas_write(struct canvas *p, size_t window, const char *text, struct error *e);

void canvas_free(struct canvas *p); /* safe on a zeroed struct */

#endif
