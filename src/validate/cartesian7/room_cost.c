/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/room_cost.h"

#include "validate/cartesian7/webb_room.h"

enum { STEPS = 8, BRANCHES = 6 };

/* Seconds per step of Webb's grid with these walls. */
static int time_box(double *step, const struct room_cost *cost, enum wall_kind walls,
                    const struct solver_options *choice, struct error *e)
{
    struct webb_room w;
    if (webb_room_open(&w, GRID_WEBB, cost->stencil, walls, cost->precision, choice, e))
        return -1;
    const int status = webb_room_time_steps(step, &w, STEPS, e);
    webb_room_close(&w);
    return status;
}

static int measure(struct room_cost *cost, const struct solver_options *choice, struct error *e)
{
    const double within = (WEBB_X - 2.0) * (WEBB_Y - 2.0) * (WEBB_Z - 2.0);
    double rigid, branches;
    if (time_box(&rigid, cost, WALLS_RIGID, choice, e) || time_box(&branches, cost, WALLS_SIX, choice, e))
        return -1;
    cost->point = rigid / WEBB_POINTS;
    cost->branch = branches > rigid ? (branches - rigid) / (BRANCHES * (WEBB_POINTS - within)) : 0.0;
    return 0;
}

/* The cost of boxes with this room's stencil, precision and threads. */
static int find(const struct room_cost **found, struct room_costs *costs, const struct model *m,
                const struct solver_options *choice, struct error *e)
{
    struct room_cost wanted = {
        .stencil = m->grid.stencil, .precision = m->room->grid.precision, .threads = choice->threads};
    for (size_t i = 0; i < costs->count; i++) {
        *found = &costs->measured[i];
        if ((*found)->stencil == wanted.stencil && (*found)->precision == wanted.precision &&
            (*found)->threads == wanted.threads)
            return 0;
    }
    if (costs->count == ROOM_COSTS_MAX)
        return fail(e, ERROR_MEMORY, "more than %d kinds of boxes to compare", ROOM_COSTS_MAX);
    if (measure(&wanted, choice, e))
        return -1;
    costs->measured[costs->count] = wanted;
    *found = &costs->measured[costs->count++];
    return 0;
}

/* Mean number of branches over the area of the walls that have any. */
static double mean_branches(const struct model *m)
{
    double area = 0.0, branches = 0.0;
    for (size_t i = 0; i < m->room->material_count; i++) {
        const struct wall_model *wall = &m->walls[i];
        if (wall->branch_count == 0 && !(wall->admittance > 0.0))
            continue;
        area += m->space.area[i];
        branches += m->space.area[i] * (double)wall->branch_count;
    }
    return area > 0.0 ? branches / area : 0.0;
}

int room_costs_predict(double *seconds, struct room_costs *costs, const struct model *m, uint64_t air_points,
                       uint64_t wall_points, const struct solver_options *choice, struct error *e)
{
    const struct room_cost *cost;
    if (find(&cost, costs, m, choice, e))
        return -1;
    *seconds = (double)air_points * cost->point + (double)wall_points * mean_branches(m) * cost->branch;
    return 0;
}
