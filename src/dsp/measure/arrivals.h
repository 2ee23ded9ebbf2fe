/* SPDX-License-Identifier: MIT */
/* Finds time, level and direction of the first arrivals in an ambisonic response. */
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
    size_t count;                    /* 0: none was found */
    double low, high;                /* Hz: band in which they were looked for */
};

/* Arrivals are the ARRIVALS_MAX loudest peaks of W² in the valid band, smoothed over 2.5 periods of its upper end and at
 * least that far apart. The direction of each is that of the intensity W (X, Y, Z). A peak is rejected if the intensity is
 * below 0.3 of W², because sound from several sides then overlaps, and within 3.5 ms of a peak 15 dB louder, because it
 * may be ringing. arrival: s from the first sample to the direct sound. Empty for responses of order 0. ERROR_MEMORY,
 * ERROR_STOPPED. */
int arrivals_find(struct arrivals *found, const struct recording *r, double arrival, struct error *e);

/* Degrees; azimuth is positive to the left, elevation upwards. */
double arrival_azimuth(const struct arrival *a);
double arrival_elevation(const struct arrival *a);

#endif
