/* SPDX-License-Identifier: MIT */
/* Where a circuit would gain most by one more branch or tank: orthogonal matching pursuit. A small resonant element
 *     b = a/(1 + jQ (x/x0 - x0/x))
 * is a new branch, of effect b on Y, or a tank of branch g, of effect -Y_g² b. The residual of the error and the effects
 * of elements are made orthogonal to what the present elements can do; the gain is the predicted fall of the sum of
 * squares. */
#ifndef AULA_ROOM_GRID_LAYER_CANDIDATES_H
#define AULA_ROOM_GRID_LAYER_CANDIDATES_H

#include <stdbool.h>

#include "room/grid/layer_points.h"

struct layer_candidate {
    double gain;
    size_t branch;              /* whose tank it is; the count of entries: a branch */
    double elements[PER_ENTRY]; /* D, E, F or C, G, H */
};
enum { LAYER_CANDIDATES_MAX = 8 };

/* The `per_place` best of each place, 1 or 2, and of these the `most` best, up to LAYER_CANDIDATES_MAX, best first.
 * Returns their number. `absorption`: its weight (layer_points.h). `workspace`: of LAYER_CANDIDATES_DOUBLES. */
enum { LAYER_CANDIDATES_DOUBLES = 3 * FITTED_POINTS_MAX * (PER_ENTRY * BRANCHES_MAX + 2) };
size_t layer_candidates(const struct layer_points *p, const struct circuit *c, double absorption, bool branches,
                        size_t per_place, size_t most, double *workspace, struct layer_candidate *best);

#endif
