/* SPDX-License-Identifier: MIT */
/* Places directional sources and receivers: the grid points around a position, and the weights of
 * spherical harmonics on them (dsp/space/field_stencil.h). */
#ifndef AULA_ROOM_GRID_FIELD_PLACEMENT_H
#define AULA_ROOM_GRID_FIELD_PLACEMENT_H

#include "dsp/space/field_stencil.h"
#include "room/grid/grid.h"
#include "room/grid/placement.h"

/* The weights assume free air, where all points see the same field. Points beyond flat walls along
 * the grid are left out, which reduces accuracy: with less than FIELD_WALL_FULL cells of air on one
 * side the order falls to 1, with less than FIELD_WALL_LEAST to 0. */
#define FIELD_WALL_FULL 1.5
#define FIELD_WALL_LEAST 0.5

struct field_cloud {
    struct field_stencil stencil; /* of the order that the walls allow, which is at most the one asked for */
    double spacing;               /* X, m */
    double wall;                  /* m to the nearest wall; INFINITY: none within the cloud */
    double radius;                /* m */
    uint64_t index[FIELD_POINTS_MAX];
    double share[FIELD_POINTS_MAX]; /* of air around the point: what a source adds is divided by it */
};

/* Refuses positions in objects, and positions whose cloud contains an object or a wall that is not
 * flat; the message states the distance needed by `what_for`, such as "a cardioid". */
int field_cloud_make(struct field_cloud **cloud, struct model *m, const struct placement *p, int order,
                     const char *what_for, struct error *e);
void field_cloud_free(struct field_cloud *cloud); /* NULL-safe */

/* Refuses a position at which the walls allow only order 0 but order 1 is needed; the message
 * states the distance needed. */
int field_cloud_check_order(const struct field_cloud *cloud, const struct model *m, const struct placement *p,
                            const char *what_for, struct error *e);

/* A channel of weights Σ_c coefficients[c] W_c [harmonics_count(order)], in SI units: order n gives (s/c)^n times the
 * harmonic, s/c in 1/m. drives: divided by the share of air, for level 1. */
int field_cloud_channel(struct channel *channel, const struct field_cloud *cloud, const double *coefficients, int order,
                        double scale, bool drives, struct error *e);

/* Pressure at a position between the points of a 7-point grid: a channel whose weights sum to
 * p->scale, for time level 0. *made is false, and nothing is done, if the cloud contains an object
 * or a wall that is not flat, or if the position lies beyond the last points before a wall. Points
 * beyond flat walls are left out, which changes the level by less than 0.02 dB. */
int field_pressure_place(struct placed *placed, bool *made, struct model *m, const struct placement *p,
                         struct error *e);

/* The plane waves of the grid to which stencils of the field are fitted. */

/* Receivers on a mapped grid use true frequencies, because their signals are mapped before they are
 * integrated. Other receivers, and all sources, use s of the trapezoidal rule, because source
 * signals are filtered before they drive the grid. */
struct grid_waves field_waves_of(enum air_stencil stencil, double courant_squared, bool mapped, bool drives);

/* Radius of the cloud of points, in cells; order 0 on the 7-point grid alone. */
double field_radius(enum air_stencil stencil, int order);

#endif
