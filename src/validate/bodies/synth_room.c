/* SPDX-License-Identifier: MIT */
#include "validate/bodies/synth_room.h"

#include <math.h>
#include <stdlib.h>

enum { ROOM_POINTS = 30 };

/* Bows need the higher rate. */
static double rate_of(const struct room_plan *p)
{
    return p->touched ? 24000.0 : 8000.0;
}

static double between(struct random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

/* X of the room's grid. */
static int air_spacing(double *x, struct rig *r, struct error *e)
{
    struct grid grid;
    if (grid_make_for(&grid, &r->room, &(struct grid_use){.purpose = PURPOSE_INSTRUMENTS}, e))
        return -1;
    *x = grid.spacing;
    return 0;
}

static void set_losses(struct instrument *i, const struct room_plan *p, struct random *r)
{
    i->decay_at[0] = 100.0;
    i->decay_at[1] = 1000.0;
    if (!p->lossy)
        return;
    i->decay[0] = between(r, 0.2, 2.0);
    i->decay[1] = i->decay[0] * between(r, 0.4, 1.0);
}

/* ---- what touches the instruments */

/* Adds an event of a mallet or hammer. */
static void throw_mallet(struct rig *rig, struct instrument *i, enum excitation_kind kind, double u, double v,
                         struct random *r)
{
    i->played = kind;
    i->mallet_mass = between(r, 0.005, 0.05);
    i->mallet_exponent = between(r, 1.5, 3.0);
    i->mallet_stiffness = pow(10.0, between(r, 4.0, 5.0) + 2.0 * (i->mallet_exponent - 1.5));
    i->mallet_loss = between(r, 0.0, 0.2);
    rig_play(rig, i, u, v);
    rig->events[rig->score.count - 1].velocity = 0.01; /* the drive has its own */
}

/* Adds the stroke of a bow that wanders along the string. */
static void draw_bow(struct rig *rig, struct instrument *i, struct random *r)
{
    static double places[2][2] = {{0.0, 0.13}, {0.04, 0.17}};
    i->played = EXCITATION_BOW;
    i->bow_friction[0] = between(r, 0.6, 1.0);
    i->bow_friction[1] = between(r, 0.2, 0.4);
    i->bow_friction_speed = between(r, 0.03, 0.2);
    i->torsion = random_unit(r) < 0.5;
    i->torsion_speed_ratio = between(r, 1.0, 8.0);
    i->torsion_impedance_ratio = i->torsion_speed_ratio * between(r, 0.2, 1.0);
    i->torsion_quality = pow(10.0, between(r, 0.5, 3.0));
    rig_play(rig, i, places[0][1], 0.0);
    struct event *event = &rig->events[rig->score.count - 1];
    event->velocity = between(r, 0.1, 0.4);
    event->force = between(r, 0.5, 2.0);
    event->duration = 0.05;
    event->place_curve.points = places;
    event->place_curve.count = 2;
}

bool room_touch(double *drive, const struct rig *rig, size_t number, size_t steps, struct random *r)
{
    const struct performance_problem *p = &rig->problem;
    const size_t first = p->problem.drive_count - p->played_count;
    if (number < first || p->played[number - first].touch == SIZE_MAX)
        return false;
    const struct touch *t = &rig->ensemble->touches[p->played[number - first].touch];
    const size_t input = p->played[number - first].input;
    for (size_t n = 0; n < steps; n++)
        drive[n] = 0.0;
    if (t->kind == TOUCH_THROWN)
        for (int i = 0; i < 3; i++)
            drive[random_between(r, 0, steps - 1)] = between(r, 0.5, 3.0);
    else if (input == BOW_FORCE)
        for (size_t n = steps / 10, end = random_between(r, steps / 2, steps - 1); n < end; n++)
            drive[n] = between(r, 0.9, 1.1);
    else
        for (size_t n = 0; n < steps; n++)
            drive[n] = input == BOW_SPEED ? 0.3 * cos(3.0 * (double)n / (double)steps)
                                          : t->low + (t->high - t->low) * (double)n / (double)steps;
    return true;
}

/* Sets the number of cells along the longer side of a surface, for the requested spacing of
 * nodes. */
static void set_cells(struct instrument *i, const struct room_plan *p, double x, double length)
{
    i->cells = (size_t)fmax(4.0, p->fit == NODES_ALIKE   ? round(length / x)
                                 : p->fit == NODES_APART ? floor(length / x / 1.35)
                                                         : ceil(length / x * 1.9));
}

/* Places the surface at random in one half of the room, aligned with the cells if nodes coincide
 * with air points. */
static void place_surface(struct instrument *i, const struct room_plan *p, double x, bool upper, struct random *r)
{
    const double reach = 7.5;
    for (int axis = 0; axis < 3; axis++) {
        const double low = axis == 0 && upper ? ROOM_POINTS / 2 + reach : reach;
        const double high = (axis == 0 && !upper ? ROOM_POINTS / 2 : ROOM_POINTS) - reach;
        double cell = low < high ? between(r, low, high) : low;
        if (p->fit == NODES_ALIKE && axis != (int)i->normal)
            cell = floor(cell) + 0.5;
        i->position[axis] = cell * x;
    }
}

/* Adds a drum, alternately round or rectangular, horizontal or upright, and without, with an
 * open or with a closed shell. */
static struct instrument *add_drum(struct rig *rig, const struct room_plan *p, double x, struct random *r)
{
    struct instrument *i = rig_instrument(rig, INSTRUMENT_MEMBRANE);
    const double cells = (double)random_between(r, 4, 5);
    i->normal = (enum axis)((p->number + 2) % 3);
    i->surface_density = between(r, 0.2, 1.5);
    i->outline = p->number % 2 ? OUTLINE_RECTANGLE : OUTLINE_CIRCLE;
    i->shell = p->number % 3 ? (double)random_between(r, 1, 4) * x : 0.0;
    i->bottom = p->number % 3 == 1 ? SHELL_CLOSED : SHELL_OPEN;
    i->radius = cells * x;
    i->sides[0] = 2.0 * i->radius;
    i->sides[1] = p->fit == NODES_ALIKE ? i->sides[0] : between(r, 0.6, 1.0) * i->sides[0];
    set_cells(i, p, x, i->outline == OUTLINE_CIRCLE ? i->radius : i->sides[0]);
    /* below the stability limit of the tension: h² >= 2 c²k² */
    const double h = (i->outline == OUTLINE_CIRCLE ? i->radius : fmin(i->sides[0], i->sides[1])) / (double)i->cells;
    i->tension = i->surface_density * h * h * rate_of(p) * rate_of(p) * between(r, 0.05, 0.2);
    place_surface(i, p, x, false, r);
    set_losses(i, p, r);
    if (!p->touched) {
        rig_play(rig, i, 0.3, 0.1);
        return i;
    }
    throw_mallet(rig, i, EXCITATION_MALLET, 0.3, 0.1, r);
    i->large_amplitude = true;
    i->thickness = 2e-4;
    i->young = 1e3 * i->tension / i->thickness; /* displacements of a hundredth of the radius count */
    i->poisson = 0.3;
    return i;
}

static struct instrument *add_plate(struct rig *rig, const struct room_plan *p, double x, struct random *r)
{
    static const enum ends ends[] = {ENDS_FREE, ENDS_SUPPORTED, ENDS_CLAMPED};
    struct instrument *i = rig_instrument(rig, INSTRUMENT_PLATE);
    i->normal = (enum axis)(p->number % 3);
    i->ends = ends[p->number % 3];
    i->outline = p->number % 2 && i->ends != ENDS_SUPPORTED ? OUTLINE_CIRCLE : OUTLINE_RECTANGLE;
    i->density = between(r, 400.0, 8000.0);
    i->poisson = between(r, 0.1, 0.4);
    i->radius = 5.0 * x;
    i->sides[0] = (double)random_between(r, 8, 10) * x;
    i->sides[1] = p->fit == NODES_ALIKE ? i->sides[0] : between(r, 0.8, 1.0) * i->sides[0];
    const double length = i->outline == OUTLINE_CIRCLE ? i->radius : i->sides[0];
    set_cells(i, p, x, length);
    /* h² >= 4 κ k, κ = H sqrt(E/12ρ(1 - ν²)) */
    const double h = length / (double)i->cells, kappa = h * h * rate_of(p) / 4.0 * between(r, 0.2, 0.6);
    i->thickness = between(r, 1e-3, 5e-3);
    i->young = 12.0 * i->density * (1.0 - i->poisson * i->poisson) * pow(kappa / i->thickness, 2.0);
    place_surface(i, p, x, true, r);
    set_losses(i, p, r);
    i->large_amplitude = p->touched && p->fit == NODES_CLOSE; /* which needs many cells */
    if (p->touched)
        throw_mallet(rig, i, EXCITATION_MALLET, 0.2, -0.3, r);
    else
        rig_play(rig, i, 0.2, -0.3);
    return i;
}

static void lead(struct instrument *line, const struct rig *rig, const struct instrument *plate, double u, double v)
{
    line->body_index = (size_t)(plate - rig->instruments);
    line->body_place[0] = u;
    line->body_place[1] = v;
}

/* Adds two strings, one connected to the plate rigidly and one by a spring, and a bar connected
 * by a spring or rigidly. */
static void add_lines(struct rig *rig, const struct room_plan *p, const struct instrument *plate, struct random *r)
{
    static const double places[2][2] = {{0.3, 0.25}, {-0.35, 0.1}};
    for (int n = 0; n < 2; n++) {
        struct instrument *i = rig_instrument(rig, INSTRUMENT_STRING);
        i->length = between(r, 0.3, 1.0);
        i->diameter = between(r, 0.3e-3, 1.2e-3);
        i->density = 7800.0;
        i->young = 2e11;
        i->tension = between(r, 40.0, 300.0);
        i->ends = (p->number + n) % 2 ? ENDS_CLAMPED : ENDS_SUPPORTED;
        i->termination = n ? TERMINATION_SPRING : TERMINATION_RIGID;
        i->spring = pow(10.0, between(r, 3.0, 6.0));
        i->bridge_mass = between(r, 0.002, 0.02);
        lead(i, rig, plate, places[n][0], places[n][1]);
        set_losses(i, p, r);
        if (!p->touched) {
            rig_play(rig, i, between(r, 0.1, 0.9), 0.0);
            continue;
        }
        i->large_amplitude = i->ends == ENDS_SUPPORTED;
        if (n)
            throw_mallet(rig, i, EXCITATION_HAMMER, between(r, 0.1, 0.9), 0.0, r);
        else
            draw_bow(rig, i, r);
    }
    struct instrument *bar = rig_instrument(rig, INSTRUMENT_BAR);
    bar->length = between(r, 0.2, 0.5);
    bar->width = 0.04;
    bar->thickness = between(r, 0.005, 0.02);
    bar->density = 1000.0;
    bar->young = 2e10;
    bar->ends = ENDS_FREE;
    bar->termination = p->number % 3 == 2 ? TERMINATION_RIGID : TERMINATION_SPRING;
    bar->spring = pow(10.0, between(r, 3.0, 5.0));
    lead(bar, rig, plate, 0.05, -0.2);
    set_losses(bar, p, r);
    if (p->touched)
        throw_mallet(rig, bar, EXCITATION_MALLET, between(r, 0.1, 0.9), 0.0, r);
    else
        rig_play(rig, bar, between(r, 0.1, 0.9), 0.0);
}

int room_make(struct rig *rig, const struct room_plan *p, struct random *r, struct error *e)
{
    double x, absorption[OCTAVE_BANDS];
    rig_begin(rig, rate_of(p));
    if (p->walls == WALLS_IMPEDANCE)
        rig_impedance(rig, pow(10.0, between(r, 0.2, 2.0)));
    for (int band = 0; band < OCTAVE_BANDS; band++)
        absorption[band] = between(r, 0.1, 0.6);
    if (p->walls == WALLS_OCTAVES)
        rig_absorption(rig, absorption);
    rig->room.sized_by_points = true;
    for (int axis = 0; axis < 3; axis++)
        rig->room.points[axis] = ROOM_POINTS;
    if (air_spacing(&x, rig, e))
        return -1;
    rig_source(rig, 4.0 * x, 3.3 * x, 3.0 * x);
    add_drum(rig, p, x, r);
    add_lines(rig, p, add_plate(rig, p, x, r), r);
    return 0;
}
