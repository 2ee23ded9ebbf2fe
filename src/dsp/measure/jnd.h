/* SPDX-License-Identifier: MIT */
/* Just noticeable differences (JND) of acoustic parameters, in one table, and their single numbers. A JND holds for the
 * single number, the mean over the octaves of its row; by octave it is a yardstick. */
#ifndef AULA_DSP_MEASURE_JND_H
#define AULA_DSP_MEASURE_JND_H

#include "dsp/measure/metrics_table.h"

/* Where a JND comes from. */
enum jnd_origin {
    JND_STANDARD, /* ISO 3382-1, Table A.1 */
    JND_PAPER,    /* a listening test that `source` names */
    JND_ASSUMED   /* convention, without a listening test or standard that was checked */
};

/* How octaves become the single number. */
enum jnd_mean {
    JND_MEAN,        /* arithmetic */
    JND_MEAN_ENERGY, /* 10 lg of the mean of 10^(L/10) */
    JND_WHOLE        /* the parameter has one value for the whole response */
};

struct jnd {
    const char *name; /* of the row in band_metrics or, JND_WHOLE, in single_metrics */
    double step;      /* one JND in the SI unit of the parameter; `relative`: a share of the first value */
    bool relative;
    enum jnd_origin origin;
    const char *source;
    enum jnd_mean mean;
    size_t first, count;     /* octaves of the single number: indices from 63 Hz on */
    const char *more, *less; /* the response with the larger or smaller value; NULL: not in the summary */
};

extern const struct jnd jnds[];
extern const size_t jnd_count;

const struct jnd *jnd_find(const char *name); /* NULL: none */
const struct metric *jnd_metric(const struct jnd *jnd);

/* The step from `first` to `second` in JND, signed: (second - first)/step, or (second - first)/(step first) where the
 * JND is relative. NaN if a value is missing, or if a relative one starts at 0 or below. */
double jnd_steps(const struct jnd *jnd, double first, double second);

/* The single number of a response. NaN unless all of its octaves are wholly within the valid band and have a value. */
double jnd_single(const struct jnd *jnd, const struct metrics *metrics);

/* "500 Hz and 1 kHz", "125 Hz to 1 kHz", "the whole response"; in the caller's buffer. */
enum { JND_OCTAVES_TEXT = 32 };
const char *jnd_octaves(char text[JND_OCTAVES_TEXT], const struct jnd *jnd);

/* "5 %", "1.1 dB", "10 ms", "0.05 (assumed)"; in the caller's buffer. */
enum { JND_STEP_TEXT = 32 };
const char *jnd_step_text(char text[JND_STEP_TEXT], const struct jnd *jnd);

const char *jnd_origin_name(enum jnd_origin origin); /* "standard", "paper", "assumed" */

#endif
