/* SPDX-License-Identifier: MIT */
/* Predicted time per step of a room on the CPU engine, if its points and the branches of its
 * walls cost the same as in plain boxes. */
#ifndef AULA_VALIDATE_CARTESIAN7_ROOM_COST_H
#define AULA_VALIDATE_CARTESIAN7_ROOM_COST_H

#include "room/grid/model.h"

/* Measured on Webb's grid with rigid walls and with six branches on every wall, for one stencil. */
struct room_cost {
    enum air_stencil stencil;
    enum precision precision;
    int threads;
    double point, branch; /* s per step: for a point of air; for a branch at a point of a wall */
};

/* Costs of boxes, each measured once. Zero-initialized: none. */
enum { ROOM_COSTS_MAX = 8 };
struct room_costs {
    struct room_cost measured[ROOM_COSTS_MAX];
    size_t count;
};

/* *seconds: predicted for a step of this room with its air points and wall points. */
int room_costs_predict(double *seconds, struct room_costs *costs, const struct model *m, uint64_t air_points,
                       uint64_t wall_points, const struct solver_options *choice, struct error *e);

#endif
