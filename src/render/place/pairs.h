/* SPDX-License-Identifier: MIT */
/* Pairs of loudspeakers that are mirror images about the axis of a listener. */
#ifndef AULA_RENDER_PLACE_PAIRS_H
#define AULA_RENDER_PLACE_PAIRS_H

#include "dsp/place/search.h"
#include "render/place/points.h"

/* Directions that a listener can face: +x, -x, +y, -y. */
enum { PLACE_FACINGS = 4 };
extern const char *const place_facings[PLACE_FACINGS];

#define PAIR_ANGLE_LEAST 25.0 /* degrees between a loudspeaker and the axis, seen from the listener */
#define PAIR_ANGLE_MOST 35.0

/* The pairs of all listeners, in front of each on a lattice of `spacing`, m, at the listener's height, in air with
 * `clearance`, m, on all sides, at least 0.7 m away. Fills points, and sets [*count] with seat and candidate of each.
 * ERROR_USAGE without any, or for more than `most` points. The caller frees *sets. */
int place_pairs_make(struct place_set **sets, size_t *count, struct place_points *points,
                     const struct place_points *listeners, int facing, double spacing, double clearance, size_t most,
                     const struct model *m, struct error *e);

/* Scores each pair, both with the same signal, at its own listener. ERROR_MEMORY, ERROR_STOPPED. */
int place_pairs_score(struct place_set *sets, size_t count, const struct place_transfers *t, struct error *e);

#endif
