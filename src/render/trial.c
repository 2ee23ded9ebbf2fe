#include "render/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/stop.h"
#include "voxels/voxel_set.h"

/* Nonzero values, because some processors are faster on zeros. */
static int fill(struct solver *solver, const struct problem *p, struct error *e)
{
    const size_t plane = p->points[0] * p->points[1];
    struct random random = {1};
    void *values = malloc(plane * sizeof(double));
    int status = values ? 0 : fail(e, ERROR_MEMORY, "out of memory for a trial");
    for (size_t i = 0; i < plane && !status; i++) {
        double value = random_unit(&random) - 0.5;
        if (p->precision == PRECISION_DOUBLE)
            ((double *)values)[i] = value;
        else
            ((float *)values)[i] = (float)value;
    }
    for (size_t z = 0; z < p->points[2] && !status; z++)
        status = solver_put(solver, "p", z, 1, values, e);
    free(values);
    return status;
}

/* Of a wall of the room, or in a room that is no box of the material with the largest area. The 7-point scheme needs a
 * voxel beyond a fixed face, which the trial has not: it is rigid. */
static uint8_t wall_code(const struct model *m, int wall)
{
    const struct room *room = m->room;
    size_t material = room_form(room) == ROOM_BOX ? room->walls[wall] : 0;
    for (size_t i = 0; i < room->material_count && room_form(room) != ROOM_BOX; i++)
        material = m->space.area[i] > m->space.area[material] ? i : material;
    return m->grid.stencil == STENCIL_19_POINT && boundary_kind_of(&room->materials[material])->fixed
               ? CELL_FIXED
               : (uint8_t)(CELL_SOLID + material);
}

/* The box of the problem's points between the room's walls. */
static int make_box(struct voxel_set **box, const struct leapfrog_problem *l, const struct problem *p,
                    const struct model *m, struct error *e)
{
    const size_t fewer = l->stencil == STENCIL_19_POINT ? 1 : 0;
    const size_t count[3] = {p->points[0] - fewer, p->points[1] - fewer, p->points[2] - fewer};
    uint8_t outside[FACES];
    for (int wall = 0; wall < FACES; wall++)
        outside[wall] = wall_code(m, wall);
    return voxel_set_of_box(box, count, outside, e);
}

int trial_speed(double *points_per_second, const struct model *m, const struct choice *choice, struct error *e)
{
    struct leapfrog_problem leapfrog;
    struct problem whole, p;
    struct solver *solver;
    if (model_problem(&whole, &leapfrog, m, 0, 1, e))
        return -1;
    p = whole; /* with its walls and air, but no objects and signals */
    p.drive_count = p.tap_count = 0;
    const size_t value = precision_bytes(p.precision);
    const size_t max = (size_t)128 << 20;
    /* where a plane is larger than that, y is cut as well */
    while (p.points[1] > 64 && 8 * p.points[0] * p.points[1] * value > max / 2)
        p.points[1] /= 2;
    const size_t planes = max / 2 / (p.points[0] * p.points[1] * value);
    if (planes < p.points[2])
        p.points[2] = planes < 4 ? 4 : planes;
    struct voxel_set *box = NULL;
    if (!make_box(&box, &leapfrog, &p, m, e))
        leapfrog.voxels = box;
    if (!box || solver_open(&solver, &p, choice, e)) {
        voxel_set_free(box);
        model_problem_free(&whole);
        return -1;
    }
    const struct block silence = {0};
    const double points = (double)p.points[0] * (double)p.points[1] * (double)p.points[2];
    int status = fill(solver, &p, e) || solver_run(solver, 2, &silence, e); /* first touch of all memory */
    const double start = clock_seconds();
    double seconds = 0.0;
    size_t done = 0;
    for (size_t steps = 1; !status && seconds < 0.15; steps *= 2) {
        status = solver_run(solver, steps, &silence, e);
        done += steps;
        seconds = clock_seconds() - start;
        status = status || stop_check(e) ? -1 : 0;
    }
    solver_close(solver);
    voxel_set_free(box);
    model_problem_free(&whole);
    *points_per_second = seconds > 0.0 ? points * (double)done / seconds : 1e9;
    return status;
}

/* Seconds of a step of an open solver at rest, whose speed does not depend on the field. */
static int time_steps(double *seconds, struct solver *solver, struct error *e)
{
    const struct block silence = {0};
    double elapsed = 0.0;
    int status = solver_run(solver, 64, &silence, e); /* warms up */
    for (size_t steps = 64; !status && elapsed < 0.05; steps *= 4) {
        const double start = clock_seconds();
        status = solver_run(solver, steps, &silence, e);
        elapsed = clock_seconds() - start;
        *seconds = elapsed / (double)steps;
        status = status || stop_check(e) ? -1 : 0;
    }
    return status;
}

/* Opens the model itself, which tunes it. */
static int time_model(double *seconds, uint64_t *air_points, const struct model *m, const struct choice *choice,
                      struct error *e)
{
    struct leapfrog_problem leapfrog;
    struct problem p;
    struct solver *solver = NULL;
    if (model_problem(&p, &leapfrog, m, 0, m->room->source_count ? 1 : 0, e))
        return -1;
    int status = solver_open(&solver, &p, choice, e);
    if (!status) {
        const struct requirement *r = solver_requirement(solver);
        *seconds = r->step_seconds;
        *air_points = r->air_points;
        status = r->step_seconds > 0.0 ? 0 : time_steps(seconds, solver, e);
    }
    solver_close(solver);
    model_problem_free(&p);
    return status ? -1 : 0;
}

/* The same room on a grid of so many points. */
static int time_coarse(double *seconds, uint64_t *air_points, const struct model *m, double points,
                       const struct choice *choice, struct error *e)
{
    const double share = cbrt(points / (double)grid_points(&m->grid));
    struct room coarse = *m->room;
    struct model *model = NULL;
    coarse.grid.max_frequency *= share; /* one of them is 0 */
    coarse.grid.rate *= share;
    const int status = model_make(&model, &coarse, e) || time_model(seconds, air_points, model, choice, e);
    model_free(model);
    return status ? -1 : 0;
}

int trial_step(double *seconds, const struct model *m, const struct requirement *r, const struct choice *choice,
               struct error *e)
{
    const double most = 2e8; /* points: beyond that opening takes longer than a second or two */
    double speed;
    uint64_t air_points = 0;
    *seconds = r->step_seconds;
    if (r->step_seconds > 0.0)
        return 0;
    const bool large = (double)grid_points(&m->grid) > most;
    if (!r->on_device || (large && m->room->sized_by_points)) {
        if (trial_speed(&speed, m, choice, e))
            return -1;
        *seconds = (double)r->air_points / speed;
        return 0;
    }
    int status = large ? time_coarse(seconds, &air_points, m, 0.5 * most, choice, e)
                       : time_model(seconds, &air_points, m, choice, e);
    if (status && e->code == ERROR_MEMORY) { /* a part of the grid may fit */
        status = trial_speed(&speed, m, choice, e);
        *seconds = (double)r->air_points / speed;
    } else if (!status && r->air_points && air_points) {
        *seconds *= (double)r->air_points / (double)air_points;
    }
    return status ? -1 : 0;
}
