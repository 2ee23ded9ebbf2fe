/* Pictures of any colours: PNG of 8 bits a channel. */
#ifndef AULA_DRAWING_PNG_COLOURS_H
#define AULA_DRAWING_PNG_COLOURS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A text chunk: "time", "0.0125". */
struct png_note {
    const char *key, *text;
};
enum { PNG_NOTES_MAX = 16 };

/* pixels[rows][columns], 0xRRGGBB, the first row on top. Complete or absent. ERROR_OUTPUT. */
int png_colours(const char *path, const uint32_t *pixels, size_t columns, size_t rows, const struct png_note *notes,
                size_t note_count, struct error *e);

#endif
