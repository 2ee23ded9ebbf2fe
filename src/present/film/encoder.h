/* SPDX-License-Identifier: MIT */
/* Where the frames of a film go: one row of the table of encoders writes each kind of file. */
#ifndef AULA_PRESENT_FILM_ENCODER_H
#define AULA_PRESENT_FILM_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "io/drawing/png_colours.h"

struct film_format {
    const char *path;
    bool no_clobber; /* as of struct output_file */
    size_t columns, rows, frames;
    double rate;             /* frames a second */
    const uint32_t *palette; /* [palette_count], 0xRRGGBB: colours that are kept as they are where colours are few */
    size_t palette_count;
    const struct png_note *notes; /* in each PNG */
    size_t note_count;
};

/* A kind of file. `open` fills *state, also where it fails; `close` follows open in any case and takes all that is not
 * committed away. */
struct film_encoder {
    const char *suffix;           /* ".gif" */
    const char *(*missing)(void); /* NULL when it can be written here; else what is missing, and what to install */
    int (*open)(void **state, const struct film_format *format, struct error *e);
    int (*frame)(void *state, const uint32_t *pixels, double time,
                 struct error *e);               /* ends at a stop, as commit does */
    int (*commit)(void *state, struct error *e); /* complete under its name */
    void (*close)(void *state);
};

extern const struct film_encoder film_png, film_gif, film_webm;

/* By the suffix of a name. ERROR_USAGE for another one, or where it cannot be written here: the message says what to
 * install, and that .png frames need nothing. */
int film_encoder_find(const struct film_encoder **encoder, const char *path, struct error *e);

enum { FILM_DIGITS = 4, FILM_DIGITS_MORE = 6 /* of films of more than 10,000 frames */ };

/* NAME_0012.png of frame 12 of NAME.png, in fresh memory; NULL: out of memory. */
char *film_frame_name(const char *path, size_t frame, size_t frames);

#endif
