/* SPDX-License-Identifier: MIT */
/* Speech in open-plan offices along a line of places: ISO 3382-3:2022, and the privacy distance of its edition of 2012.
 *
 * Normal speech of an omnidirectional talker, 57.4 dB(A) at 1 m in free field, is carried to the places by calibrated
 * impulse responses. */
#ifndef AULA_DSP_MEASURE_OPEN_PLAN_H
#define AULA_DSP_MEASURE_OPEN_PLAN_H

#include "dsp/measure/metrics.h"

/* dB by octave, 125 Hz to 8 kHz, at 1 m (ISO 3382-3:2022, table 1). */
extern const double open_plan_speech[SPEECH_BANDS];

#define OPEN_PLAN_NEAREST 2.0   /* m: places from here.. */
#define OPEN_PLAN_FARTHEST 16.0 /* m: ..to here count for the spatial decay */
#define OPEN_PLAN_COMFORT 45.0  /* dB(A): speech level at the comfort distance */
enum { OPEN_PLAN_PLACES = 4, OPEN_PLAN_PREFERRED = 6, OPEN_PLAN_MOST = 10 };

struct open_plan_place {
    double distance;             /* m from the source */
    double level;                /* L_p,A,S, dB(A); NaN: see why */
    double octave[SPEECH_BANDS]; /* dB of speech; NaN: see why */
    double sti;                  /* NaN: see why */
    const char *why;             /* static text; NULL: nothing is missing */
};

/* Levels and index of one place. `noise`: dB by octave; -INFINITY: none. The distance is left as it is. */
void open_plan_listen(struct open_plan_place *place, const struct metrics *m, const double noise[SPEECH_BANDS]);

/* y = intercept + slope x by least squares; NaN with fewer than two different x. */
struct line_fit {
    double slope, intercept;
    size_t count;
};
struct line_fit line_fit(const double *x, const double *y, size_t count);

/* Single values; NaN: not defined, for which *_why is a static text. */
struct open_plan {
    struct line_fit decay; /* of L_p,A,S over lg(r / 1 m) */
    double decay_rate;     /* D_2,S, dB for a doubling of the distance */
    double level_4m;       /* L_p,A,S,4m, dB(A) */
    double comfort;        /* r_C, m */
    const char *decay_why, *comfort_why;
    struct line_fit speech; /* of STI over r */
    double distraction;     /* r_D, m: STI 0.50 */
    double privacy;         /* r_P, m: STI 0.20 (ISO 3382-3:2012) */
    const char *distraction_why, *privacy_why;
    double nearest, farthest; /* m: places with an STI; a distance beyond them is extrapolated */
};

/* With fewer than OPEN_PLAN_PLACES places, values are missing. Error codes: ERROR_MEMORY. */
int open_plan_evaluate(struct open_plan *o, const struct open_plan_place *places, size_t count, struct error *e);

/* Adds warnings about values of `count` places: too few of them, or distances beyond them. Lines begin with `name`.
 * ERROR_MEMORY. */
int open_plan_doubts(char ***warnings, size_t *warning_count, const struct open_plan *o, size_t count, const char *name,
                     struct error *e);

#endif
