/* SPDX-License-Identifier: MIT */
/* The first arrivals of an ambisonic response: when, how loud and from where. */
#ifndef AULA_DSP_MEASURE_ARRIVALS_H
#define AULA_DSP_MEASURE_ARRIVALS_H

#include <stddef.h>

#include "dsp/measure/recording.h"

#define ARRIVALS_LAST 0.08     /* s after the direct sound */
#define ARRIVALS_LEAST (-30.0) /* dB re the direct sound */
enum { ARRIVALS_MAX = 16 };

struct arrival {
    double time;         /* s after the direct sound, which is the first arrival */
    double level;        /* dB re the direct sound */
    double direction[3]; /* unit vector that it comes from, in the axes of the receiver */
};

struct arrivals {
    struct arrival at[ARRIVALS_MAX]; /* by time */
    size_t count;                    /* 0: none can be told */
    double low, high;                /* Hz: band in which they were looked for */
};

/* Peaks of W² in the valid band, smoothed over 2.5 periods of its upper end, so far apart; the direction of each is
 * that of the intensity W (X, Y, Z) there. The ARRIVALS_MAX loudest; where sound from several sides cancels the
 * intensity below 0.3 of W² it is no single arrival, and within 3.5 ms of one that is 15 dB louder it may be ringing.
 * arrival: s from the first sample to the direct sound. Empty for responses of order 0. ERROR_MEMORY, ERROR_STOPPED. */
int arrivals_find(struct arrivals *found, const struct recording *r, double arrival, struct error *e);

/* Azimuth to the left and elevation up, degrees. */
double arrival_azimuth(const struct arrival *a);
double arrival_elevation(const struct arrival *a);

#endif
