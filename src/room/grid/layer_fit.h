/* SPDX-License-Identifier: MIT */
/* Fits what a wall of layers is stepped with: γ(κ(f)) Y(f) at the grid's frequency ω_n(f), theory (44), with the Y of
 * layers.h at normal incidence, as branches with tanks (conventions.h). No element is negative: passive by construction.
 *
 * The fit minimises the largest error of the reflection factor R = (1 - Y)/(1 + Y) and of small absorption,
 * layer_errors() in layer_points.h, from 20 Hz, or a twentieth of the edge where that is lower, to the edge. It is greedy:
 *  - It starts from one branch, the spring of the lowest frequency with the resistance and resonance of the highest peak
 *    of Re Y or with the median of Re 1/Y; the better of both.
 *  - Least squares at 64 frequencies, then towards the least maximum by rounds of reweighting (Lawson 1961),
 *    w *= (0.3 + e/max e)^0.7, unless the error is far above the target. Frequencies are added where 600 or 6000 finer
 *    ones show a larger error.
 *  - Until the error <= LAYER_FIT_TARGET, one more branch or tank where matching pursuit predicts the most
 *    (layer_candidates.h): the best of several after least squares.
 * Passes of other settings follow while the target is missed and the evaluations are fewer than a budget. The best is
 * kept, less the entries that it does not need. If it misses R, the absorption counts less in a second search and not at
 * all in a third. Deterministic to the bit.
 *
 * Left out are lines of air without losses behind a membrane, less than 1 Hz wide. Springs and tanks keep the least
 * resistances of circuit.h. */
#ifndef AULA_ROOM_GRID_LAYER_FIT_H
#define AULA_ROOM_GRID_LAYER_FIT_H

#include "base/acoustics/conventions.h"
#include "base/error.h"
#include "room/grid/wall_discretization.h"
#include "room/layers/layers.h"

#define LAYER_FIT_TARGET 0.01

struct layer_fit {
    struct branch branches[BRANCHES_MAX]; /* SI units */
    size_t branch_count;                  /* entries; 0: rigid */
    double worst;                         /* largest |ΔR| */
    double worst_frequency;               /* Hz */
    size_t evaluations;                   /* of the circuit and its derivatives at all frequencies fitted */
};

/* `clock`: its edge, Hz, is above 0 and carried; rate 0: the continuum. A poor fit is no error: see `worst`.
 * ERROR_MEMORY, ERROR_STOPPED. */
int layer_fit_make(struct layer_fit *f, const struct layered_wall *wall, const struct wall_discretization *clock,
                   struct error *e);

#endif
