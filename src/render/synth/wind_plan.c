/* SPDX-License-Identifier: MIT */
#include "render/synth/wind_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/schemes/bodies/wind_impedance.h"

static const double INNER_CORRECTION = 0.75;   /* radii: a hole's end in the bore */
static const double OPEN = 1e-4, SHUT = 1e-11; /* m³/(Pa s): a hole that is open, or about to close */
enum { POINTS_OF_END = 1024, POINTS_OF_HOLE = 64, NEAR_WALL = 2 };

static double length_of(const struct wind_plan *plan)
{
    return plan->bore[plan->bore_count - 1][0];
}

static int make_bore(struct wind *w, const struct wind_plan *plan, const struct wind_air *air, struct error *e)
{
    struct bore_grid grid = {.time_step = 1.0 / air->rate, .density = air->density, .sound_speed = air->sound_speed};
    const struct wall_loss loss = wall_loss_fit(grid.time_step);
    const size_t cells = bore_cells(length_of(plan), &grid);
    double *volume = calloc(cells + 1, sizeof *volume);
    if (!volume)
        return fail(e, ERROR_MEMORY, "out of memory");
    grid.spacing = length_of(plan) / (double)cells;
    bore_volumes(volume, cells, grid.spacing, plan->bore, plan->bore_count);
    struct error why;
    const int status = bore_make(&w->bore, volume, cells, &grid, &loss, &why);
    free(volume);
    return status ? fail(e, why.code, "bore: %s", why.message) : 0;
}

/* Appends the points of an opening at the share of the way from the mouth to the end to w->points. */
static int add_points(struct wind *w, struct opening *o, const struct wind_plan *plan, const struct grid *grid,
                      double share, double radius, double length, struct error *e)
{
    struct opening_point *points = calloc(POINTS_OF_END, sizeof *points);
    double at[3], way[3];
    size_t nearest[3], used = wind_points(w);
    int normal = 0, status = 0;
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = plan->end[axis] - plan->mouth[axis];
        normal = fabs(way[axis]) > fabs(way[normal]) ? axis : normal;
        const double place = (plan->mouth[axis] + share * way[axis] - grid->origin[axis]) / grid->spacing - 0.5;
        nearest[axis] = (size_t)fmax(0.0, round(place));
        at[axis] = place - round(place);
    }
    if (!points)
        return fail(e, ERROR_MEMORY, "out of memory");
    *o = opening_in_field(o->cell, radius, length, normal, at, grid->spacing, &w->bore.grid, points,
                          share < 1.0 ? POINTS_OF_HOLE : POINTS_OF_END);
    if (o->inertance < 0.0)
        status = fail(e, ERROR_INPUT, "an opening of %g m is too wide for the grid", 2.0 * radius);
    for (size_t i = 0; i < o->points && !status; i++) {
        size_t point = 0;
        for (int axis = 2; axis >= 0; axis--) {
            const ptrdiff_t index = (ptrdiff_t)nearest[axis] + points[i].axis[axis];
            if (index < NEAR_WALL || index + NEAR_WALL >= (ptrdiff_t)grid->points[axis])
                status = fail(e, ERROR_INPUT, "an opening lies within two points of the grid, %g m, of a wall; move it",
                              NEAR_WALL * grid->spacing);
            point = point * grid->points[axis] + (size_t)index;
        }
        w->points[used++] = point;
    }
    free(points);
    return status;
}

static int add_opening(struct wind *w, const struct wind_plan *plan, const struct grid *grid, size_t i, struct error *e)
{
    const bool end = i == plan->hole_count;
    const struct wind_hole *hole = end ? NULL : &plan->holes[i];
    const double radius = 0.5 * (end ? plan->bore[plan->bore_count - 1][1] : hole->diameter);
    const double length = end ? 0.5 * w->bore.grid.spacing : hole->height + INNER_CORRECTION * radius;
    struct opening *o = &w->openings[i];
    o->cell = w->bore.cells - 1;
    if (!grid)
        *o = opening_make(o->cell, radius, length, 0, 0.0, 0.0, &w->bore.grid);
    else if (add_points(w, o, plan, grid, end ? 1.0 : hole->position / length_of(plan), radius, length, e))
        return -1;
    if (!end)
        opening_place(o, &w->bore, hole->position);
    w->opening_count++;
    return 0;
}

int wind_begin(struct wind *w, const struct wind_plan *plan, const struct grid *grid, const struct wind_air *air,
               struct error *e)
{
    memset(w, 0, sizeof *w);
    w->reed = plan->reed;
    w->spacing = grid ? grid->spacing : 0.0;
    if (plan->hole_count >= OPENINGS_MAX)
        return fail(e, ERROR_INPUT, "holes: %zu are given; use at most %d", plan->hole_count, OPENINGS_MAX - 1);
    if (make_bore(w, plan, air, e))
        return -1;
    w->openings = calloc(plan->hole_count + 1, sizeof *w->openings);
    w->points = calloc(plan->hole_count * POINTS_OF_HOLE + POINTS_OF_END, sizeof *w->points);
    if (!w->openings || !w->points)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i <= plan->hole_count; i++) {
        struct error why;
        if (!add_opening(w, plan, grid, i, &why))
            continue;
        return i < plan->hole_count ? fail(e, why.code, "holes[%zu]: %s", i, why.message)
                                    : fail(e, why.code, "bore: %s", why.message);
    }
    return wind_couple_openings(w, e);
}

void wind_end(struct wind *w)
{
    bore_free(&w->bore);
    free(w->openings);
    free(w->points);
    free(w->mutual);
    memset(w, 0, sizeof *w);
}

double wind_hole_conductance(double open)
{
    return open > 0.0 ? SHUT * pow(OPEN / SHUT, fmin(open, 1.0)) : 0.0;
}

double wind_fingering(const struct wind_plan *plan, double pitch, double *conductance)
{
    double sounds = 0.0;
    for (size_t i = 0; i < plan->hole_count; i++) {
        const bool open = plan->holes[i].pitch <= pitch * exp2(1.0 / 24.0);
        conductance[i] = wind_hole_conductance(open ? 1.0 : 0.0);
        sounds = open ? fmax(sounds, plan->holes[i].pitch) : sounds;
    }
    return sounds;
}

double wind_lips(const struct wind *w, double pitch, double *pressure)
{
    enum { SCANNED = 20, BISECTIONS = 8 };
    double best = NAN, before = 0.0, before_sounds = NAN;
    *pressure = NAN;
    for (int i = 0; i <= SCANNED; i++) {
        const double lips = pitch * (0.6 + 0.4 * i / SCANNED);
        double sounds = NAN, low = before, high = lips;
        if (!(wind_threshold(w, lips, NULL, 0.8 * pitch, 1.25 * pitch, &sounds) > 0.0))
            sounds = NAN;
        for (int k = 0; k < BISECTIONS && before_sounds < pitch && sounds >= pitch; k++) {
            const double middle = 0.5 * (low + high);
            double here = NAN;
            const double needs = wind_threshold(w, middle, NULL, 0.8 * pitch, 1.25 * pitch, &here);
            *(here < pitch ? &low : &high) = middle;
            if (needs > 0.0 && fabs(here / pitch - 1.0) < 5e-4) {
                best = middle;
                *pressure = needs;
            }
        }
        if (best > 0.0)
            break;
        before = lips;
        before_sounds = sounds;
    }
    return best;
}
