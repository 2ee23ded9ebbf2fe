/* SPDX-License-Identifier: MIT */
/* Films of the sound field of a room in a plane or on all walls. */
#ifndef AULA_PRESENT_FILM_FILM_H
#define AULA_PRESENT_FILM_FILM_H

#include "present/film/run.h"

enum { FILM_STRIP_MAX = 16 };

/* Settings of a film; film_plan replaces zeros by suitable values. */
struct film_wish {
    bool walls;          /* in place of a plane */
    int axis;            /* of a plane: 0 .. 2, at */
    double at;           /* m; NaN: through the first source */
    size_t first, count; /* sources */
    double sound;        /* s of sound, from t = 0 */
    double speed;        /* s of sound in a second of film */
    double rate;         /* frames a second */
    size_t columns, rows;
    bool levels;  /* levels of averaged p², dB; else pressure */
    double top;   /* Pa or dB of the strongest colour; NaN: automatic */
    double span;  /* dB, of levels */
    double edge;  /* Hz: upper edge of the pulse that stands for an impulse */
    size_t strip; /* number of pictures in a single still instead of a film; 0: a film */
    const char *path;
    bool no_clobber; /* do not replace a file that appears under that name meanwhile, but fail */
};

struct film;

/* Prepares the film of a model; *w receives the actual values, as speed and frames fall on whole steps. path is borrowed.
 * ERROR_USAGE with the option and a remedy. */
int film_plan(struct film **f, struct film_wish *w, const struct model *m, struct error *e);
void film_free(struct film *f); /* NULL-safe */

size_t film_frames(const struct film *f);
const struct slice_sampler *slice_sampler(const struct film *f);
const struct film_run *film_running(const struct film *f);
const struct film_colours *film_scale(const struct film *f);
/* Columns and rows of a picture, and where the window is in it. */
void film_size(const struct film *f, size_t size[2], size_t window[2]);

/* Steps the room and writes the film, complete or absent (of .png, complete pictures). */
int film_make(struct film *f, struct film_cost *cost, const struct solver_options *choice, const struct watch *watch,
              struct error *e);

/* Defaults: duration of a film, and duration of the sound in crossings of the room. */
#define FILM_SECONDS 10.0
#define FILM_SECONDS_GIF 6.0 /* shorter, as GIF files are large */
#define FILM_CROSSINGS 2.0

#endif
