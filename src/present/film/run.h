/* SPDX-License-Identifier: MIT */
/* Steps a room and delivers the field at the points of a sampler frame by frame. */
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

/* The run: sources, signals and times of the frames. */
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

/* Makes the signals of the sources. A grid cannot show an impulse, so a Ricker wavelet (N. Ricker, 1953) of the same gain
 * replaces it, with a peak of 1 at t = 0 and a spectrum PULSE_EDGE below its maximum at `edge`, Hz. Sets excitations and
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

/* Cost of the run. */
struct film_cost {
    const char *engine, *kernel; /* of tables */
    size_t steps;
    double seconds;
};

/* Runs the solver and shows each frame as soon as it is complete; only a few steps of the taps are in memory. The values
 * equal those of receivers at the points of the taps, as float bit by bit. ERROR_STOPPED, and the errors of the solver. */
int film_run(struct film_cost *cost, const struct film_run *r, const struct slice_sampler *s,
             const struct solver_options *choice, const struct watch *watch, const struct film_show *show,
             struct error *e);

#endif
