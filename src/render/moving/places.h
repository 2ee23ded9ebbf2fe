/* SPDX-License-Identifier: MIT */
/* Responses of one room at many places, and the parts that each place has in the sound between them. */
#ifndef AULA_RENDER_MOVING_PLACES_H
#define AULA_RENDER_MOVING_PLACES_H

#include <stddef.h>

#include "base/error.h"

/* Sound that arrives along one path: directly from the fixed end, or from its image behind a wall. */
struct moving_arrival {
    double image[3]; /* m: the fixed end, or its image */
    double strength; /* pressure relative to that of the direct sound at 1 m, about: reflection factor over distance */
};

struct moving_place {
    double position[3];      /* m */
    const double *responses; /* [channels][frames of moving_places] */
    struct moving_arrival *arrivals;
    size_t arrival_count;
};

struct moving_places {
    struct moving_place *list; /* [count] */
    size_t count, channels, frames;
    double rate;        /* Hz */
    double sound_speed; /* m/s */
    double delay;       /* s: by which filters of the responses delay every arrival */
    double valid_to;    /* Hz: end of their band */
    int dimensions;     /* of the set of places: 1 on a line, 2 in a plane, else 3; moving_places_measure */
    double spacing;     /* m: largest distance from a place to its closest neighbour; likewise */
};

/* Distance between two positions, m. */
double moving_distance(const double a[3], const double b[3]);

/* s after emission at which an arrival reaches its place. */
double moving_arrival_time(const struct moving_places *p, const struct moving_place *place,
                           const struct moving_arrival *arrival);

/* Sets dimensions and spacing. */
void moving_places_measure(struct moving_places *p);

/* Weights [count] of the places at a position, which add up to 1: 1 at a place itself, continuous in the position, and 0
 * beyond the closest 2^dimensions places. Inverse distances with a limited reach R (Franke, Nielson 1980, "Smooth
 * interpolation of large sets of scattered data", Int. J. Numer. Meth. Eng. 15, 1691-1704):
 *
 *     w ~ ((R - d)/(R d))² for d < R,   R = 1.1 times the distance to the closest place that has no weight */
void moving_weights(double *weights, const struct moving_places *p, const double position[3]);

/* Distance to the closest place, m. */
double moving_closest(const struct moving_places *p, const double position[3]);

#endif
