/* SPDX-License-Identifier: MIT */
/* Energy balance of instruments and air together: rooms of random size with a drum and with a
 * plate driven by strings and bars, at random positions. Noise comes from the source in the air
 * or from all instruments, followed by silence. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_rig.h"

enum { CASES = 6, STEPS = 2000, PART = 50, NOISE = 300, ROOM_POINTS = 30 };

static const double rate = 8000.0;

/* Spacing h of a surface's nodes relative to X of the air's points. */
enum fit { NODES_ALIKE, NODES_APART, NODES_CLOSE, FITS };
static const char *const fit_names[FITS] = {[NODES_ALIKE] = "h = X", [NODES_APART] = "h > X", [NODES_CLOSE] = "h < X"};

enum walls_kind { WALLS_RIGID, WALLS_IMPEDANCE, WALLS_OCTAVES };

struct plan {
    enum fit fit;
    enum walls_kind walls;
    bool lossy; /* instruments have losses */
    int number; /* number of the case, which selects among alternatives */
};

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

static void set_losses(struct instrument *i, const struct plan *p, struct random *r)
{
    i->decay_at[0] = 100.0;
    i->decay_at[1] = 1000.0;
    if (!p->lossy)
        return;
    i->decay[0] = between(r, 0.2, 2.0);
    i->decay[1] = i->decay[0] * between(r, 0.4, 1.0);
}

/* Sets the number of cells along the longer side of a surface, for the requested spacing of
 * nodes. */
static void set_cells(struct instrument *i, const struct plan *p, double x, double length)
{
    i->cells = (size_t)fmax(4.0, p->fit == NODES_ALIKE   ? round(length / x)
                                 : p->fit == NODES_APART ? floor(length / x / 1.35)
                                                         : ceil(length / x * 1.9));
}

/* Places the surface at random in one half of the room, aligned with the cells if nodes coincide
 * with air points. */
static void place_surface(struct instrument *i, const struct plan *p, double x, bool upper, struct random *r)
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
static struct instrument *add_drum(struct rig *rig, const struct plan *p, double x, struct random *r)
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
    i->tension = i->surface_density * h * h * rate * rate * between(r, 0.05, 0.2);
    place_surface(i, p, x, false, r);
    set_losses(i, p, r);
    rig_play(rig, i, 0.3, 0.1);
    return i;
}

static struct instrument *add_plate(struct rig *rig, const struct plan *p, double x, struct random *r)
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
    const double h = length / (double)i->cells, kappa = h * h * rate / 4.0 * between(r, 0.2, 0.6);
    i->thickness = between(r, 1e-3, 5e-3);
    i->young = 12.0 * i->density * (1.0 - i->poisson * i->poisson) * pow(kappa / i->thickness, 2.0);
    place_surface(i, p, x, true, r);
    set_losses(i, p, r);
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
static void add_lines(struct rig *rig, const struct plan *p, const struct instrument *plate, struct random *r)
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
        rig_play(rig, i, between(r, 0.1, 0.9), 0.0);
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
    rig_play(rig, bar, between(r, 0.1, 0.9), 0.0);
}

static int make_room(struct rig *rig, const struct plan *p, struct random *r, struct error *e)
{
    double x, absorption[OCTAVE_BANDS];
    rig_begin(rig, rate);
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
    return rig_build(rig, true, e);
}

/* Zero-mean noise, which leaves no displacement, either from the room's source or from the
 * instruments, as the energy supplied by one would far exceed the losses of the other. */
static void make_noise(double *drive, size_t drives, bool source, struct random *r)
{
    for (size_t i = 0; i < drives; i++) {
        double mean = 0.0;
        for (size_t n = 0; n < NOISE && source == (i == 0); n++)
            mean += (drive[i * STEPS + n] = random_unit(r) - 0.5) / NOISE;
        for (size_t n = 0; n < NOISE && source == (i == 0); n++)
            drive[i * STEPS + n] -= mean;
    }
}

/* Largest |stored + absorbed - supplied| over the largest stored energy. */
static int balance(double *error, const struct rig *rig, bool source, struct validation *v, struct error *e)
{
    const size_t drives = rig->problem.problem.drive_count;
    double *drive = calloc(drives * STEPS, sizeof *drive), worst = 0.0, max = 0.0;
    struct solver_options choice = v->choice;
    struct solver *solver = NULL;
    struct audit a;
    choice.audit = true;
    choice.threads = choice.threads ? choice.threads : 1; /* too little work for several threads */
    if (!drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    make_noise(drive, drives, source, &v->random);
    int status = solver_open(&solver, &rig->problem.problem, &choice, e);
    for (size_t done = 0; done < STEPS && !status; done += PART) {
        const struct block b = {drive + done, STEPS, NULL, 0};
        status = stop_check(e) || solver_run(solver, PART, &b, e) || solver_audit(solver, &a, e);
        if (status)
            break;
        max = nan_max(max, a.stored);
        worst = nan_max(worst, a.balanced ? fabs(a.stored + a.absorbed - a.supplied) : NAN);
    }
    *error = worst / max;
    if (status && e->code == ERROR_UNSTABLE) { /* a failed check, not a failure to run it */
        *error = NAN;
        status = 0;
    }
    solver_close(solver);
    free(drive);
    return status ? -1 : 0;
}

/* Worst balance of several rooms. */
static int follow(double *worst, struct plan p, struct validation *v, struct error *e)
{
    const int cases = v->cases ? v->cases : CASES;
    for (p.number = 0; p.number < cases; p.number++) {
        struct rig rig;
        double error = NAN;
        const int status = make_room(&rig, &p, &v->random, e) || balance(&error, &rig, p.number / 2 % 2, v, e);
        rig_end(&rig);
        if (status)
            return -1;
        *worst = nan_max(*worst, error);
    }
    return 0;
}

int check_synth_energy(struct validation *v, struct report *r, struct error *e)
{
    static const char *const walls_names[] = {[WALLS_RIGID] = "rigid walls",
                                              [WALLS_IMPEDANCE] = "walls with a real admittance",
                                              [WALLS_OCTAVES] = "walls with absorption in octave bands"};
    const int cases = v->cases ? v->cases : CASES;
    for (enum fit fit = NODES_ALIKE; fit < FITS; fit++) {
        double worst = 0.0;
        if (follow(&worst, (struct plan){.fit = fit}, v, e))
            return -1;
        report_bound(
            r, "energy", worst, 1e-12,
            "drum and plate with two strings and a bar in air, %s, lossless, %d rooms: error of the energy balance",
            fit_names[fit], cases);
    }
    for (enum walls_kind walls = WALLS_RIGID; walls <= WALLS_OCTAVES; walls++) {
        double worst = 0.0;
        for (enum fit fit = NODES_ALIKE; fit < FITS; fit++)
            if (follow(&worst, (struct plan){.fit = fit, .walls = walls, .lossy = true}, v, e))
                return -1;
        report_bound(r, "energy", worst, 1e-11, "    lossy instruments, %s, %d rooms: error of the energy balance",
                     walls_names[walls], FITS * cases);
    }
    return 0;
}
