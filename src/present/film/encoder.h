/* SPDX-License-Identifier: MIT */
/* Encoders of films, one for each kind of file. */
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

/* A kind of file. `open` sets *state even if it fails; `close` must follow in any case and removes uncommitted files. */
struct film_encoder {
    const char *suffix; /* ".gif" */
    const char *(*missing)(
        void); /* NULL if this machine can write the format; else the missing program and how to install it */
    int (*open)(void **state, const struct film_format *format, struct error *e);
    int (*frame)(void *state, const uint32_t *pixels, double time,
                 struct error *e);               /* returns at a stop request, like commit */
    int (*commit)(void *state, struct error *e); /* complete under its name */
    void (*close)(void *state);
};

extern const struct film_encoder film_png, film_gif, film_webm;

/* Finds the encoder by the suffix of a name. ERROR_USAGE for other suffixes and for formats that this machine cannot write;
 * the message says what to install and offers .png frames. */
int film_encoder_find(const struct film_encoder **encoder, const char *path, struct error *e);

enum { FILM_DIGITS = 4, FILM_DIGITS_MORE = 6 /* of films of more than 10,000 frames */ };

/* NAME_0012.png of frame 12 of NAME.png, in fresh memory; NULL: out of memory. */
char *film_frame_name(const char *path, size_t frame, size_t frames);

#endif
