/* SPDX-License-Identifier: MIT */
/* The reflection factor that a fit of layers (layer_fit.h) has to have, at the frequencies that it looks at, and how far
 * a circuit is from it. */
#ifndef AULA_ROOM_GRID_LAYER_POINTS_H
#define AULA_ROOM_GRID_LAYER_POINTS_H

#include <stdbool.h>

#include "room/grid/circuit.h"
#include "room/grid/wall_discretization.h"
#include "room/layers/layers.h"

struct layer_point {
    double frequency;                   /* Hz, true */
    double x;                           /* ω of the branches over 2π CIRCUIT_UNIT */
    double factor;                      /* γ */
    double scale;                       /* of an error of Re γY, in the error that weighs absorption */
    double complex stepped, reflection; /* γY and R = (1 - Y)/(1 + Y) */
};

enum { EVEN_POINTS = 600, DENSE_POINTS = 6000, FITTED_POINTS_MAX = 192, FITTED_SPACED = 64 };

struct layer_points {
    struct circuit_limits limits;
    double low_x, edge_x; /* x at the lowest frequency and at the edge */
    size_t fitted_count, spaced_count, even_count, dense_count;
    struct layer_point fitted[FITTED_POINTS_MAX]; /* the first `spaced_count` are spaced, the others were added */
    struct layer_point even[EVEN_POINTS], dense[DENSE_POINTS];
    double error[DENSE_POINTS]; /* of points last looked at */
};

void layer_points_set(struct layer_points *p, const struct layered_wall *wall, const struct wall_discretization *clock);

/* (1 - Y)/(1 + Y) of an admittance as stepped, and its derivative by that. */
double complex layer_reflection(double complex stepped, double factor, double complex *slope);

/* A bound of |ΔR| alone would let small absorption be far off, which decides how a room decays. The error at a point is
 *     √(|ΔR|² + (w LAYER_ABSORPTION ΔRe Y/(Re Y + LAYER_FLOOR))²),
 * where w = `absorption` is 0 to 1. */
#define LAYER_ABSORPTION 0.4
#define LAYER_FLOOR 0.005 /* Re Y of a wall that hardly adds to the losses of a room: α = 0.04 at random incidence */

/* The errors at points; the largest, and where (index may be NULL). NaN counts as the largest. */
double layer_errors(const struct branch *entries, size_t entry_count, const struct layer_point *points, size_t count,
                    double absorption, double *errors, size_t *index);

/* The largest |ΔR| of all, with closer frequencies around the highest peaks of `dense`; *frequency, Hz: where. */
double layer_worst_error(struct layer_points *p, const struct layered_wall *wall,
                         const struct wall_discretization *clock, const struct branch *entries, size_t entry_count,
                         double *frequency);

/* Whether the error is at most the limit at all points of `dense`. If so, *worst is the largest. */
bool layer_errors_within(const struct layer_points *p, const struct branch *entries, size_t entry_count,
                         double absorption, double limit, double *worst);

#endif
