/* SPDX-License-Identifier: MIT */
/* Unstable instruments are refused with a message that states a stable value; accepted ones are
 * stable. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_rig.h"

enum { TRIALS = 20, STEPS = 4000, NOISE = 100, PART = 100 };

static const double rate = 48000.0;

static struct instrument *add_drum(struct rig *r, double surface_density, double tension, size_t cells)
{
    struct instrument *i = rig_instrument(r, INSTRUMENT_MEMBRANE);
    i->outline = OUTLINE_CIRCLE;
    i->radius = 0.16;
    i->surface_density = surface_density;
    i->tension = tension;
    i->cells = cells;
    return i;
}

static struct instrument *add_plate(struct rig *r, double side, double thickness, enum ends ends, size_t cells)
{
    struct instrument *i = rig_instrument(r, INSTRUMENT_PLATE);
    i->outline = OUTLINE_RECTANGLE;
    i->sides[0] = i->sides[1] = side;
    i->thickness = thickness;
    i->density = 7850.0;
    i->young = 2.1e11;
    i->poisson = 0.3;
    i->ends = ends;
    i->cells = cells;
    return i;
}

/* Whether a drum or a plate with this number of cells is accepted. */
static bool accepts(bool plate, size_t cells, struct error *why)
{
    struct rig r;
    rig_begin(&r, rate);
    if (plate)
        add_plate(&r, 0.5, 0.002, ENDS_CLAMPED, cells);
    else
        add_drum(&r, 0.25, 3000.0, cells);
    const bool good = !rig_build(&r, false, why);
    rig_end(&r);
    return good;
}

/* The bound stated in the refusal's message is accepted, and one more cell is not. */
static void check_too_many(struct report *r, bool plate)
{
    struct error why = {ERROR_NONE, ""};
    size_t bound = 0;
    const bool refused = !accepts(plate, 4000, &why) && why.code == ERROR_INPUT;
    const char *named = strstr(why.message, "at most ");
    if (named)
        bound = (size_t)strtoul(named + strlen("at most "), NULL, 10);
    const bool right = refused && bound > 0 && accepts(plate, bound, &why) && !accepts(plate, bound + 1, &why);
    report_bound(r, "guards", right ? 0.0 : 1.0, 0.0,
                 "%s of 4000 cells: 0 if it is refused, the message names the largest accepted number (%zu), and one "
                 "more cell is refused",
                 plate ? "plate" : "membrane", bound);
}

struct refusal {
    const char *what, *remedy;
    void (*make)(struct rig *r);
    bool in_air;
    double rate;
};

static void make_coarse_plate(struct rig *r)
{
    add_plate(r, 0.1, 0.004, ENDS_SUPPORTED, 0);
}

static void make_tense_drum(struct rig *r)
{
    add_drum(r, 0.02, 1e5, 0);
}

static void make_short_bar(struct rig *r)
{
    struct instrument *i = rig_instrument(r, INSTRUMENT_BAR);
    i->length = 0.03;
    i->width = 0.01;
    i->thickness = 0.01;
    i->density = 7850.0;
    i->young = 2.1e11;
    i->ends = ENDS_FREE;
}

static void in_the_middle(struct rig *r, struct instrument *i)
{
    for (int axis = 0; axis < 3; axis++)
        i->position[axis] = 0.5 * (r->room.size[axis] = 6.0);
}

/* An instrument whose nodes are much lighter than the air on them. */
static void make_foil(struct rig *r)
{
    struct instrument *i = add_drum(r, 0.01, 20.0, 4);
    i->radius = 1.6;
    in_the_middle(r, i);
}

static void check_refusals(struct report *r)
{
    static const struct refusal refusals[] = {
        {"a plate too stiff for four cells", "raise grid.rate", make_coarse_plate, false, 8000.0},
        {"a membrane too tense for four cells", "raise grid.rate", make_tense_drum, false, 8000.0},
        {"a bar without a mode below half the rate", "raise grid.rate", make_short_bar, false, 8000.0},
        {"a membrane too light for the grid of the air", "raise grid.rate", make_foil, true, 2000.0},
    };
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const struct refusal *x = &refusals[k];
        struct error why = {ERROR_NONE, ""};
        struct rig rig;
        rig_begin(&rig, x->rate);
        x->make(&rig);
        const bool refused = rig_build(&rig, x->in_air, &why) && why.code == ERROR_INPUT;
        rig_end(&rig);
        report_bound(r, "guards", refused && strstr(why.message, x->remedy) ? 0.0 : 1.0, 0.0,
                     "%s: 0 if it is refused and the message says \"%s\"", x->what, x->remedy);
    }
}

/* A random drum or plate with the largest stable number of cells, driven by noise. */
static int try_limit(double *growth, struct validation *v, int number, struct error *e)
{
    struct random *random = &v->random;
    struct rig r;
    double drive[NOISE];
    const struct solver_options given = v->choice;
    struct solver_options choice = given;
    choice.audit = true;
    choice.threads = choice.threads ? choice.threads : 1;
    rig_begin(&r, rate);
    struct instrument *i = number % 2 ? add_plate(&r, 0.2 + 0.3 * random_unit(random),
                                                  0.001 + 0.003 * random_unit(random), (enum ends)(number / 2 % 3), 0)
                                      : add_drum(&r, 0.3, 3e4 * (1.0 + 2.0 * random_unit(random)), 0);
    i->sides[1] *= 0.5 + 0.5 * random_unit(random);
    i->poisson = 0.45 * random_unit(random);
    if (number % 3) {
        i->decay[0] = 1.0;
        i->decay[1] = 0.5 + 0.5 * random_unit(random);
    }
    rig_play(&r, i, 0.37, -0.21);
    struct solver *solver = NULL;
    struct audit a = {0};
    for (int n = 0; n < NOISE; n++)
        drive[n] = random_unit(random) - 0.5;
    int status = rig_build(&r, false, e) || solver_open(&solver, &r.problem.problem, &choice, e) ||
                 solver_run(solver, NOISE, &(struct block){drive, NOISE, NULL, 0}, e);
    for (int done = NOISE; done < STEPS && !status; done += PART) {
        status = stop_check(e) || solver_run(solver, PART, &(struct block){0}, e) || solver_audit(solver, &a, e);
        *growth = status ? *growth : nan_max(*growth, a.stored / a.supplied - 1.0);
    }
    solver_close(solver);
    rig_end(&r);
    if (status && e->code == ERROR_UNSTABLE) { /* a failed check, not a failure to run it */
        *growth = NAN;
        status = 0;
    }
    return status ? -1 : 0;
}

int check_synth_guards(struct validation *v, struct report *r, struct error *e)
{
    const int trials = v->cases ? v->cases : TRIALS;
    double growth = -1.0;
    check_too_many(r, false);
    check_too_many(r, true);
    check_refusals(r);
    for (int i = 0; i < trials; i++)
        if (try_limit(&growth, v, i, e))
            return -1;
    report_bound(r, "guards", growth, 1e-9,
                 "%d random membranes and plates with the largest stable number of cells, %d steps after noise: stored "
                 "over supplied energy, minus 1",
                 trials, STEPS);
    return 0;
}
