/* SPDX-License-Identifier: MIT */
/* Splits the responses at a place into a part for each arrival, which moves with it, and the late part, which stays.
 *
 * The windows of all parts add up to 1 at each sample, so that the parts add up to the response. A sample belongs to the
 * arrivals close to it in time, in shares a K(t - t_a) with a the strength of an arrival, t_a its time and K a Gaussian as
 * wide as a pulse of the band: arrivals that coincide share the pulse by strength. A few milliseconds after an arrival,
 * samples pass to the late part until shortly before the next. */
#ifndef AULA_RENDER_MOVING_SPLIT_H
#define AULA_RENDER_MOVING_SPLIT_H

#include "render/moving/places.h"

#define SPLIT_LONGEST 0.15 /* s: arrivals after this stay in the late part */

struct moving_split {
    size_t arrivals; /* that move: the first ones, as many as the place has at most */
    size_t early;    /* samples of the early parts; at least 1 */
    double *parts;   /* [arrivals][channels][early] */
    double *late;    /* [channels][frames] */
    size_t *arrival; /* [arrivals]: index of each in the place */
};

/* ERROR_MEMORY; *s is then zero. */
int moving_split_make(struct moving_split *s, const struct moving_places *p, const struct moving_place *place,
                      struct error *e);
void moving_split_free(struct moving_split *s); /* safe on a zeroed struct */

#endif
