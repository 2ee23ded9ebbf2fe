/* SPDX-License-Identifier: MIT */
/* Every shipped instrument but the wind instruments is played once, as its preset says, and followed for a long
 * time: its energy must never exceed the supplied energy, and the balance of energy must close. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "render/synth/gesture.h"
#include "room/instrument.h"
#include "solver/schemes/bodies/ports.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_rig.h"

enum { STEPS = 100000, PART = 1000 };

static const double dry_rate = 48000.0, air_rate = 8000.0;
static const double stroke = 0.5; /* s: of a bow */

/* Surrounds it by a few cells of air on every side. */
static int surround(struct rig *r, struct instrument *i, struct error *e)
{
    struct grid grid;
    r->room.size[0] = r->room.size[1] = r->room.size[2] = 1.0;
    if (grid_make_for(&grid, &r->room, &(struct grid_use){.purpose = PURPOSE_INSTRUMENTS}, e))
        return -1;
    const double air_layer = 4.0 * grid.spacing;
    for (int axis = 0, side = 0; axis < 3; axis++) {
        double half = i->outline == OUTLINE_CIRCLE ? i->radius : 0.0;
        if (axis == (int)i->normal)
            half = i->shell;
        else if (i->outline == OUTLINE_RECTANGLE)
            half = 0.5 * i->sides[side++];
        i->position[axis] = half + air_layer;
        r->room.size[axis] = (axis == (int)i->normal ? half : 2.0 * half) + 2.0 * air_layer;
    }
    return 0;
}

/* Largest over the run, relative to the supplied energy. */
struct growth {
    double stored;    /* less 1, after the excitation */
    double unbalance; /* |stored + absorbed - supplied| at the end */
};

/* A blow moves a free plate away: far from its place, its bending is a small difference of displacements. */
static bool flies(const struct instrument *i)
{
    return i->type == INSTRUMENT_PLATE && i->ends == ENDS_FREE;
}

/* One stroke, pluck, throw or bow stroke, then silence. */
static int follow(struct growth *growth, const struct rig *r, const struct gesture *gesture, struct validation *v,
                  struct error *e)
{
    struct solver_options choice = v->choice;
    struct solver *solver = NULL;
    struct audit a;
    const size_t played = (size_t)ceil(gesture->width) + 1;
    double *drive = calloc(PORT_INPUTS * played, sizeof *drive);
    if (!drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < gesture->inputs; k++)
        for (size_t n = 0; (double)n < gesture->width; n++)
            drive[k * played + n] = gesture_at(gesture, k, (double)n);
    choice.audit = true;
    choice.threads = choice.threads ? choice.threads : 1; /* too little work for several threads */
    int status = solver_open(&solver, &r->problem.problem, &choice, e) ||
                 solver_run(solver, played, &(struct block){drive, played, NULL, 0}, e);
    for (size_t done = played; done < STEPS && !status; done += PART) {
        status = stop_check(e) || solver_run(solver, PART, &(struct block){0}, e) || solver_audit(solver, &a, e);
        if (status)
            break;
        growth->stored = nan_max(growth->stored, a.supplied > 0.0 ? a.stored / a.supplied - 1.0 : NAN);
    }
    if (!status && !flies(&r->instruments[0]))
        growth->unbalance =
            nan_max(growth->unbalance, a.balanced ? fabs(a.stored + a.absorbed - a.supplied) / a.supplied : NAN);
    solver_close(solver);
    free(drive);
    if (status && e->code == ERROR_UNSTABLE) { /* a failed check, not a failure to run it */
        growth->stored = NAN;
        status = 0;
    }
    return status ? -1 : 0;
}

static int play(struct growth *growth, const struct instrument *preset, bool in_air, struct validation *v,
                struct error *e)
{
    struct rig r;
    const double rate = in_air ? air_rate : dry_rate;
    rig_begin(&r, rate);
    struct instrument *i = rig_copy(&r, preset);
    rig_play(&r, i, preset->place[0], preset->place[1]);
    r.events[0].force = i->played == EXCITATION_BOW ? i->bow_force : i->force;
    r.events[0].duration = i->played == EXCITATION_BOW ? stroke : i->contact;
    r.events[0].velocity = i->velocity;
    int status = (in_air && surround(&r, i, e)) || rig_build(&r, in_air, e);
    if (!status) {
        const struct gesture gesture = gesture_make(&r.events[0], i->played, rate, 0);
        status = follow(growth, &r, &gesture, v, e);
    }
    rig_end(&r);
    return status ? -1 : 0;
}

enum group { LINES_ALONE, SURFACES_ALONE, SURFACES_IN_AIR, GROUPS };

static int follow_group(struct validation *v, struct report *r, const struct room *presets, enum group group,
                        struct error *e)
{
    static const char *const what[GROUPS] = {"strings and bars without air, 48 kHz",
                                             "membranes and plates without air, 48 kHz",
                                             "membranes and plates in a room, 8 kHz"};
    struct growth growth = {-1.0, 0.0};
    size_t count = 0;
    for (size_t i = 0; i < presets->instrument_count; i++) {
        if (instrument_is_line(&presets->instruments[i]) != (group == LINES_ALONE) ||
            presets->instruments[i].type == INSTRUMENT_WIND) /* it has no stroke after which it decays */
            continue;
        if (play(&growth, &presets->instruments[i], group == SURFACES_IN_AIR, v, e))
            return -1;
        count++;
    }
    report_bound(r, "presets", growth.stored, 1e-9, "%zu presets: %s, %d steps: stored over supplied energy, minus 1",
                 count, what[group], STEPS);
    report_bound(r, "presets", growth.unbalance, 1e-9,
                 "    balance of energy at the end over the supplied, but for free plates");
    return 0;
}

int check_synth_presets(struct validation *v, struct report *r, struct error *e)
{
    struct room *presets;
    if (room_read_presets(&presets, e))
        return -1;
    int status = 0;
    for (enum group group = LINES_ALONE; group < GROUPS && !status; group++)
        status = follow_group(v, r, presets, group, e);
    room_free(presets);
    return status;
}
