/* SPDX-License-Identifier: MIT */
/* What a step of a room would cost if its points and walls cost what those of plain boxes do: for the CPU engine, whose
 * cost is that of its points and of the branches of its walls. */
#ifndef AULA_VALIDATE_CARTESIAN7_ROOM_COST_H
#define AULA_VALIDATE_CARTESIAN7_ROOM_COST_H

#include "room/grid/model.h"

/* Of Webb's grid with rigid walls and with six branches on every wall, by one stencil. */
struct room_cost {
    enum air_stencil stencil;
    enum precision precision;
    int threads;
    double point, branch; /* s a step: of a point of air, of a branch at a point of a wall */
};

/* Costs of boxes, each measured once. Zeroed: none. */
enum { ROOM_COSTS_MAX = 8 };
struct room_costs {
    struct room_cost measured[ROOM_COSTS_MAX];
    size_t count;
};

/* *seconds: of a step of this room with its air points and wall points, by these boxes. */
int room_costs_predict(double *seconds, struct room_costs *costs, const struct model *m, uint64_t air_points,
                       uint64_t wall_points, const struct solver_options *choice, struct error *e);

#endif
