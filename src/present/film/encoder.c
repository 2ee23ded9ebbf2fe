/* SPDX-License-Identifier: MIT */
#include "present/film/encoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

static const struct film_encoder *const outlets[] = {&film_webm, &film_gif, &film_png};
enum { OUTLETS = sizeof outlets / sizeof *outlets };

int film_encoder_find(const struct film_encoder **outlet, const char *path, struct error *e)
{
    char text[QUOTED];
    const char *suffix = strrchr(path, '.');
    *outlet = NULL;
    for (size_t i = 0; suffix && i < OUTLETS; i++)
        if (!strcasecmp(suffix, outlets[i]->suffix))
            *outlet = outlets[i];
    if (!*outlet)
        return fail(e, ERROR_USAGE, "-o %s: a film is FILE.webm, FILE.gif, or FILE.png for a picture of each frame",
                    quoted(text, path));
    const char *missing = (*outlet)->missing ? (*outlet)->missing() : NULL;
    return missing ? fail(e, ERROR_USAGE, "-o %s: %s; FILE.png, a picture of each frame, needs nothing more",
                          quoted(text, path), missing)
                   : 0;
}

char *film_frame_name(const char *path, size_t frame, size_t frames)
{
    const size_t stem = strlen(path) - strlen(film_png.suffix);
    const int digits = frames > 10000 ? FILM_DIGITS_MORE : FILM_DIGITS;
    return text_format("%.*s_%0*zu.png", (int)stem, path, digits, frame);
}

/* ---- PNG: a file for each frame; those that are complete stay ---- */

struct png_frames {
    struct film_format format;
    size_t written;
};

static int png_open(void **state, const struct film_format *format, struct error *e)
{
    struct png_frames *p = *state = calloc(1, sizeof *p);
    if (!p)
        return fail(e, ERROR_MEMORY, "out of memory");
    p->format = *format;
    return 0;
}

static int png_frame(void *state, const uint32_t *pixels, double time, struct error *e)
{
    struct png_frames *p = state;
    struct png_note notes[PNG_NOTES_MAX];
    char text[32];
    size_t count = p->format.note_count < PNG_NOTES_MAX - 1 ? p->format.note_count : PNG_NOTES_MAX - 1;
    for (size_t i = 0; i < count; i++)
        notes[i] = p->format.notes[i];
    snprintf(text, sizeof text, "%.9g", time);
    notes[count++] = (struct png_note){"time", text};
    char *name = film_frame_name(p->format.path, p->written++, p->format.frames);
    const int status =
        name ? png_colours(name, p->format.no_clobber, pixels, p->format.columns, p->format.rows, notes, count, e)
             : fail(e, ERROR_MEMORY, "out of memory");
    free(name);
    return status;
}

static int png_commit(void *state, struct error *e)
{
    (void)state;
    (void)e;
    return 0;
}

const struct film_encoder film_png = {
    .suffix = ".png", .open = png_open, .frame = png_frame, .commit = png_commit, .close = free};
