/* SPDX-License-Identifier: MIT */
/* Pictures of any colours: PNG of 8 bits a channel. */
#ifndef AULA_IO_DRAWING_PNG_COLOURS_H
#define AULA_IO_DRAWING_PNG_COLOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/output_file.h"

/* A text chunk: "time", "0.0125". */
struct png_note {
    const char *key, *text;
};
enum { PNG_NOTES_MAX = 16 };

/* pixels[rows][columns], 0xRRGGBB, the first row on top. Complete or absent; no_clobber: as of struct output_file.
 * ERROR_OUTPUT, ERROR_STOPPED. */
int png_colours(const char *path, bool no_clobber, const uint32_t *pixels, size_t columns, size_t rows,
                const struct png_note *notes, size_t note_count, struct error *e);

/* The same into an open file, which the caller commits or discards. */
int png_colours_put(struct output_file *output, const uint32_t *pixels, size_t columns, size_t rows,
                    const struct png_note *notes, size_t note_count, struct error *e);

/* Small pictures of few colours: PNG with a palette. */

/* pixels[rows][columns], the first row on top, each the number of a colour: palette[colours], 0xRRGGBB, 256 at most.
 * clear: its first colour is transparent. */
int png_indexed(FILE *stream, const uint8_t *pixels, size_t columns, size_t rows, const uint32_t *palette,
                size_t colours, bool clear, struct error *e);

#endif
