/* SPDX-License-Identifier: MIT */
#include "render/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/stop.h"
#include "geometry/voxels/voxel_set.h"

/* Nonzero values, because some processors are faster on zeros. */
static int fill(struct solver *solver, const struct problem *p, struct error *e)
{
    const size_t plane = p->points[0] * p->points[1];
    struct random random = {1};
    void *values = malloc(plane * sizeof(double));
    int status = values ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < plane && !status; i++) {
        double value = random_unit(&random) - 0.5;
        if (p->precision == PRECISION_DOUBLE)
            ((double *)values)[i] = value;
        else
            ((float *)values)[i] = (float)value;
    }
    for (size_t z = 0; z < p->points[2] && !status; z++)
        status = stop_check(e) || solver_put(solver, "p", z, 1, values, e) ? -1 : 0;
    free(values);
    return status;
}

/* Code of a wall of the room or, if the room is no box, of the material with the largest area. The
 * trial has no voxel beyond a fixed face, which the 7-point scheme needs, and uses a rigid face. */
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

/* The box of the problem's points within the walls of the room. */
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

int trial_speed(double *points_per_second, const struct model *m, const struct solver_options *choice, struct error *e)
{
    struct leapfrog_problem leapfrog;
    struct problem whole, p;
    struct solver *solver;
    if (model_problem(&whole, &leapfrog, m, 0, 1, e))
        return -1;
    p = whole; /* with its walls and air, but without objects and signals */
    p.drive_count = p.tap_count = 0;
    const size_t value = precision_bytes(p.precision);
    const size_t max = (size_t)128 << 20;
    /* if a plane is larger than that, y is cut too */
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
    int status = stop_check(e) || fill(solver, &p, e);
    for (int i = 0; i < 2 && !status; i++) /* first touch of all memory */
        status = solver_run(solver, 1, &silence, e) || stop_check(e) ? -1 : 0;
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

/* Seconds per step of an open solver at rest; its speed does not depend on the field. A CPU runs
 * only a pass or two, because a step of a large room takes as long as all steps of a small one on a
 * GPU. */
static int time_steps(double *seconds, struct solver *solver, const struct solver_plan *r, struct error *e)
{
    const struct block silence = {0};
    const size_t pass = r->on_device ? 64 : r->time_block > 4 ? (size_t)r->time_block : 4;
    double elapsed = 0.0;
    int status = 0;
    for (size_t i = 0; i < pass && !status; i++) /* warms up */
        status = solver_run(solver, 1, &silence, e) || stop_check(e) ? -1 : 0;
    for (size_t steps = pass; !status && elapsed < 0.05; steps *= 4) {
        const double start = clock_seconds();
        status = solver_run(solver, steps, &silence, e);
        elapsed = clock_seconds() - start;
        *seconds = elapsed / (double)steps;
        status = status || stop_check(e) ? -1 : 0;
    }
    return status;
}

/* A timed step of a room, and the quantities it depends on. */
struct sample {
    double seconds, air, wall; /* points */
};

/* Times the model itself, which tunes it. `anew`: even if the tuner remembers a time. */
static int time_model(struct sample *sample, const struct model *m, const struct solver_options *choice, bool anew,
                      struct error *e)
{
    struct leapfrog_problem leapfrog;
    struct problem p;
    struct solver *solver = NULL;
    if (model_problem(&p, &leapfrog, m, 0, m->room->source_count ? 1 : 0, e))
        return -1;
    int status = solver_open(&solver, &p, choice, e);
    if (!status) {
        const struct solver_plan *r = solver_plan_of(solver);
        *sample = (struct sample){r->step_seconds, (double)r->air_points, (double)r->wall_points};
        status = r->step_seconds > 0.0 && !anew ? 0 : time_steps(&sample->seconds, solver, r, e);
    }
    solver_close(solver);
    model_problem_free(&p);
    return status ? -1 : 0;
}

/* The same room on a grid of `points` points. */
static int time_coarse(struct sample *sample, const struct model *m, double points, const struct solver_options *choice,
                       struct error *e)
{
    const double share = cbrt(points / (double)grid_points(&m->grid));
    struct room coarse = *m->room;
    struct model *model = NULL;
    coarse.grid.max_frequency *= share; /* one of them is 0 */
    coarse.grid.rate *= share;
    const int status = model_make(&model, &coarse, e) || time_model(sample, model, choice, false, e);
    model_free(model);
    return status ? -1 : 0;
}

/* Walls take a larger share on a coarse grid. Two samples yield the costs of a point of air and of
 * a point at an absorbing wall; if they do not, all points cost as much as those of the finer
 * sample. */
static double extrapolate(const struct sample *coarse, const struct sample *fine, double air, double wall)
{
    const double of_all = fine->seconds / fine->air;
    const double area = coarse->air * fine->wall - fine->air * coarse->wall;
    const double of_air = (coarse->seconds * fine->wall - fine->seconds * coarse->wall) / area;
    const double of_wall = (fine->seconds * coarse->air - coarse->seconds * fine->air) / area;
    return of_air > 0.0 && of_wall > 0.0 && isfinite(of_air + of_wall) ? air * of_air + wall * of_wall : air * of_all;
}

/* Points of air. For a grid that does not fit, and has not been counted, the estimate from its
 * volume. */
static double points_of_air(const struct model *m, const struct solver_plan *r)
{
    const double spacing = m->grid.spacing;
    return r->air_points ? (double)r->air_points : m->space.volume / (spacing * spacing * spacing);
}

/* Extrapolates from two coarser grids. */
static int time_large(double *seconds, const struct model *m, const struct solver_plan *r, double points,
                      const struct solver_options *choice, struct error *e)
{
    struct sample coarse, fine;
    if (time_coarse(&coarse, m, points / 8.0, choice, e) || time_coarse(&fine, m, points, choice, e))
        return -1;
    *seconds = extrapolate(&coarse, &fine, points_of_air(m, r), (double)r->wall_points);
    return 0;
}

int trial_step(double *seconds, const struct model *m, const struct solver_plan *r, const struct solver_options *choice,
               struct error *e)
{
    const double most = r->on_device ? 2e8 : 3e7; /* points: opening a larger grid takes longer than a second */
    struct sample whole = {0.0, 0.0, 0.0};
    double speed;
    *seconds = r->step_seconds;
    if (r->step_seconds > 0.0)
        return 0;
    const bool large = (double)grid_points(&m->grid) > most;
    int status = large && (m->room->sized_by_points || !r->air_points) ? -1
                 : large                                               ? time_large(seconds, m, r, most, choice, e)
                                                                       : time_model(&whole, m, choice, false, e);
    if (!status && !large)
        *seconds = whole.seconds;
    if (status && !stop_requested()) { /* a part of the grid may fit, and a coarser one may be refused */
        status = trial_speed(&speed, m, choice, e);
        *seconds = points_of_air(m, r) / speed;
    }
    return status ? -1 : 0;
}

int trial_room(double *seconds, const struct model *m, const struct solver_options *choice, struct error *e)
{
    struct sample sample = {0.0, 0.0, 0.0};
    const int status = time_model(&sample, m, choice, true, e);
    *seconds = sample.seconds;
    return status;
}
