/* SPDX-License-Identifier: MIT */
/* The field at the points of a sampler while the room is stepped, frame by frame. */
#ifndef AULA_PRESENT_FILM_RUN_H
#define AULA_PRESENT_FILM_RUN_H

#include "present/film/slice_sampler.h"
#include "render/excitation.h"
#include "render/watch.h"

struct film_frame {
    size_t index;        /* from 0 */
    double time;         /* s after the sources' t = 0 */
    const float *values; /* [tap_count]: Pa, or dB re 20 uPa */
};

/* What is stepped and how often it is shown. */
struct film_run {
    const struct model *model;
    size_t first, count;            /* sources */
    struct excitation *excitations; /* [count] */
    size_t onset;                   /* step of t = 0 */
    size_t every;                   /* steps between two frames */
    size_t begin;                   /* steps from t = 0 to the first frame */
    size_t frames;
    double window; /* s: levels are those of p² averaged with this time constant; 0: the pressure itself */
};

/* Signals of the sources; an impulse, which a grid cannot show, becomes a Ricker wavelet (N. Ricker, 1953) of the same
 * gain with its peak of 1 at t = 0, and PULSE_EDGE below the largest of its spectrum at `edge`, Hz. Sets excitations,
 * onset. */
#define PULSE_EDGE 30.0 /* dB */
int film_run_excite(struct film_run *r, double edge, struct error *e);
void film_run_free(struct film_run *r); /* safe on a zeroed struct */

/* Largest source strength, Pa m. */
double film_run_peak(const struct film_run *r);

struct film_show {
    int (*frame)(void *context, const struct film_frame *frame, struct error *e);
    void *context;
};

/* What the run took. */
struct film_cost {
    const char *engine, *kernel; /* of tables */
    size_t steps;
    double seconds;
};

/* The solver runs and each frame is shown as it comes: no more than a few steps of the taps are held. The values are
 * those of receivers at the points of the taps, bit for bit as float. ERROR_STOPPED, and the solver's errors. */
int film_run(struct film_cost *cost, const struct film_run *r, const struct slice_sampler *s,
             const struct solver_options *choice, const struct watch *watch, const struct film_show *show,
             struct error *e);

#endif
