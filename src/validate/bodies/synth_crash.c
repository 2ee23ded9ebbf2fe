/* SPDX-License-Identifier: MIT */
/* Plates at large amplitude. In vacuo, the pitch of a mode against its equation of motion w'' + ω² (w + c w³/H²) = 0,
 * whose period is an elliptic integral. c is a converged sum of stress functions over the true outline for the square,
 * and for the disc the coefficient that C. Touzé, O. Thomas and A. Chaigne print (Journal of Sound and Vibration 258,
 * 2002, 649-676). In random rooms, the energy balance of a plate that is struck hard. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "render/synth/drift_watch.h"
#include "render/synth/plate_modes.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_rig.h"

/* ---- the pitch of a mode */

enum { RATE = 48000, STEPS = 48000, CELLS = 24 };

/* A lowest mode: its shape with w = H in the unit of the amplitudes, frequency in vacuo, Hz, and c. */
struct mode {
    struct pattern shape;
    struct disc_mode disc; /* of a disc */
    double frequency, cubic;
};

static double bow(const struct pattern *p, double x, double y)
{
    return cos(M_PI * x / p->sides[0]) * cos(M_PI * y / p->sides[1]);
}

/* zero: the root of ∬ w² over the unit disc. */
static double saddle(const struct pattern *p, double x, double y)
{
    const struct mode *m = (const struct mode *)p; /* its first member */
    return disc_mode_at(&m->disc, hypot(x, y) / p->radius) * cos(p->order * atan2(y, x)) / p->zero;
}

static double kappa_of(const struct instrument *i)
{
    return i->thickness * sqrt(i->young / (12.0 * (1.0 - i->poisson * i->poisson) * i->density));
}

static struct instrument *make_plate(struct rig *r, bool disc)
{
    struct instrument *i = rig_instrument(r, INSTRUMENT_PLATE);
    i->outline = disc ? OUTLINE_CIRCLE : OUTLINE_RECTANGLE;
    i->ends = disc ? ENDS_FREE : ENDS_SUPPORTED;
    i->radius = i->sides[0] = i->sides[1] = disc ? 0.25 : 0.5;
    i->thickness = 1e-3;
    i->density = 7850.0;
    i->young = 2.1e11;
    i->poisson = disc ? 0.33 : 0.3;
    i->cells = disc ? CELLS / 2 : CELLS;
    i->large_amplitude = true;
    rig_play(r, i, 0.43, 0.18);
    r->events[0].force = 0.0;
    return i;
}

static void find_mode(struct mode *m, const struct instrument *i, bool disc)
{
    static const double square_sum = 0.79049408, disc_coefficient = 1.898, disc_lambda_squared = 5.2620;
    const double bend = 1.0 - i->poisson * i->poisson;
    *m = (struct mode){.shape = {.at = disc ? saddle : bow, .radius = i->radius, .order = 2.0, .zero = 1.0}};
    m->shape.sides[0] = m->shape.sides[1] = i->sides[0];
    m->frequency = (disc ? disc_lambda_squared / (2.0 * M_PI) : M_PI) * kappa_of(i) / (i->sides[0] * i->sides[0]);
    m->cubic = disc ? 12.0 * bend * disc_coefficient / (disc_lambda_squared * disc_lambda_squared)
                    : 24.0 * bend * square_sum / pow(M_PI, 4.0);
    if (!disc)
        return;
    const struct surface_plan plan = {.edge = SURFACE_FREE, .poisson = i->poisson};
    enum { RINGS = 2000 };
    double sum = 0.0;
    disc_mode_find(&m->disc, &plan, 2);
    for (int n = 0; n < RINGS; n++) {
        const double radius = (n + 0.5) / RINGS, w = disc_mode_at(&m->disc, radius);
        sum += M_PI * radius * w * w / RINGS;
    }
    m->shape.zero = sqrt(sum);
}

/* Frequency over ω for an amplitude in thicknesses, by the arithmetic-geometric mean. */
static double duffing(double cubic, double amplitude)
{
    const double bent = cubic * amplitude * amplitude;
    double a = 1.0, b = sqrt(1.0 - 0.5 * bent / (1.0 + bent));
    for (int i = 0; i < 10; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a * sqrt(1.0 + bent);
}

/* Hz, from the upward crossings of zero. */
static double crossings(const double *heard)
{
    double first = 0.0, last = 0.0;
    int count = 0;
    for (int n = 1; n < STEPS; n++)
        if (heard[n - 1] < 0.0 && heard[n] >= 0.0) {
            last = n - 1 + heard[n - 1] / (heard[n - 1] - heard[n]);
            first = count++ ? first : last;
        }
    return count > 1 ? (count - 1) / (last - first) * RATE : NAN;
}

/* Starts the mode with the speed that carries it to the amplitude, in thicknesses. */
static int play_mode(double *frequency, struct rig *r, const struct mode *m, double amplitude, struct validation *v,
                     struct error *e)
{
    const struct voice *voice = &r->ensemble->voices[0];
    struct problem *p = &r->problem.problem;
    const struct channel *drives = p->drives, *taps = p->taps;
    const size_t tap_count = p->tap_count;
    struct channel shape;
    double *drive = calloc(2 * STEPS, sizeof *drive);
    if (!drive || rig_pattern(&shape, voice, &m->shape, e)) {
        free(drive);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    const double speed = 2.0 * M_PI * m->frequency * amplitude * sqrt(1.0 + 0.5 * m->cubic * amplitude * amplitude);
    drive[0] = speed * r->instruments[0].thickness / RATE / voice->surface->force_gain;
    p->drives = p->taps = &shape;
    p->tap_count = 1;
    const int status = rig_run(r, &v->choice, STEPS, drive, drive + STEPS, e);
    p->drives = drives;
    p->taps = taps;
    p->tap_count = tap_count;
    *frequency = crossings(drive + STEPS);
    free(shape.entries);
    free(drive);
    return status;
}

static int check_pitch(struct validation *v, struct report *r, bool disc, struct error *e)
{
    static const double amplitudes[] = {0.1, 0.3, 0.5};
    for (int k = 0; k < 3; k++) {
        struct rig rig;
        struct mode m;
        double frequency = NAN;
        rig_begin(&rig, RATE);
        find_mode(&m, make_plate(&rig, disc), disc);
        const int status = rig_build(&rig, false, e) || play_mode(&frequency, &rig, &m, amplitudes[k], v, e);
        rig_end(&rig);
        if (status)
            return -1;
        const double rise = duffing(m.cubic, amplitudes[k]) - 1.0;
        report_bound(
            r, "crashes", 100.0 * fabs((frequency / m.frequency - 1.0) / rise - 1.0), 3.0,
            "%s, %d cells across, %g thicknesses: error of the rise of the lowest mode by %.3f %%, in %% of it",
            disc ? "free disc" : "supported square", CELLS, amplitudes[k], 100.0 * rise);
    }
    return 0;
}

/* ---- the energy of plates that crash in rooms */

enum { CASES = 6, ROOM_RATE = 8000, ROOM_POINTS = 34, ROOM_STEPS = 2000, PART = 50, BLOW = 6 };

static double between(struct random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

/* A plate in the middle of the room with nodes close to, at and between the air's points. Returns the impulse, N s,
 * that bends it by a random number of thicknesses. */
static double add_plate(struct rig *rig, int number, double x, struct random *r)
{
    static const enum ends ends[] = {ENDS_FREE, ENDS_SUPPORTED, ENDS_CLAMPED};
    struct instrument *i = rig_instrument(rig, INSTRUMENT_PLATE);
    i->normal = (enum axis)(number % 3);
    i->ends = ends[number % 3];
    i->outline = number % 2 && i->ends != ENDS_SUPPORTED ? OUTLINE_CIRCLE : OUTLINE_RECTANGLE;
    i->density = between(r, 2000.0, 9000.0);
    i->poisson = between(r, 0.1, 0.4);
    i->thickness = between(r, 0.5e-3, 2e-3);
    i->radius = between(r, 9.0, 10.0) * x;
    i->sides[0] = between(r, 16.0, 20.0) * x;
    i->sides[1] = between(r, 0.8, 1.0) * i->sides[0];
    i->cells = i->outline == OUTLINE_CIRCLE ? random_between(r, 9, 14) : random_between(r, 16, 28);
    const double h = (i->outline == OUTLINE_CIRCLE ? i->radius : i->sides[0]) / (double)i->cells;
    const double kappa = h * h * ROOM_RATE / 4.0 * between(r, 0.2, 0.6);
    i->young = 12.0 * i->density * (1.0 - i->poisson * i->poisson) * pow(kappa / i->thickness, 2.0);
    i->large_amplitude = true;
    i->decay_at[1] = 1000.0;
    i->decay[0] = between(r, 0.2, 2.0);
    i->decay[1] = i->decay[0] * between(r, 0.4, 1.0);
    for (int axis = 0; axis < 3; axis++)
        i->position[axis] = (0.5 * ROOM_POINTS + between(r, -2.0, 2.0)) * x;
    rig_play(rig, i, 0.3, -0.4);
    return between(r, 1.0, 8.0) * i->thickness * 8.0 * kappa * i->density * i->thickness;
}

/* Over all rooms. */
struct crash_errors {
    double balance; /* |stored + absorbed - supplied| over the supplied energy */
    double drift;   /* root mean square of √(2V) - ψ over that of ψ (render/synth/drift_watch.h) */
};

/* During and after the blow. */
static int follow_blow(struct crash_errors *worst, const struct rig *rig, double impulse, struct validation *v,
                       struct error *e)
{
    double drive[BLOW] = {0.0};
    struct solver_options choice = v->choice;
    struct solver *solver = NULL;
    struct drift_watch drift = {.ensemble = NULL};
    struct audit a;
    choice.audit = true;
    choice.threads = choice.threads ? choice.threads : 1;
    for (int n = 0; n < BLOW; n++)
        drive[n] = impulse * ROOM_RATE / BLOW * (1.0 - cos(2.0 * M_PI * (n + 0.5) / BLOW));
    int status = solver_open(&solver, &rig->problem.problem, &choice, e) ||
                 drift_watch_make(&drift, rig->ensemble, solver, rig->problem.problem.points[2], e) ||
                 solver_run(solver, BLOW, &(struct block){drive, BLOW, NULL, 0}, e);
    for (size_t done = BLOW; done < ROOM_STEPS && !status; done += PART) {
        status = stop_check(e) || solver_run(solver, PART, &(struct block){0}, e) || solver_audit(solver, &a, e) ||
                 drift_watch_look(&drift, solver, e);
        if (!status)
            worst->balance =
                nan_max(worst->balance, a.balanced ? fabs(a.stored + a.absorbed - a.supplied) / a.supplied : NAN);
    }
    worst->drift = nan_max(worst->drift, status ? NAN : drift_watch_worst(&drift, 0));
    drift_watch_free(&drift);
    solver_close(solver);
    if (status && e->code == ERROR_UNSTABLE) { /* a failed check, not a failure to run it */
        worst->balance = NAN;
        status = 0;
    }
    return status ? -1 : 0;
}

static int check_energy(struct validation *v, struct report *r, struct error *e)
{
    const int cases = v->cases ? v->cases : CASES;
    struct crash_errors worst = {0.0, 0.0};
    for (int number = 0; number < cases; number++) {
        struct rig rig;
        struct grid grid;
        double impulse = 0.0;
        rig_begin(&rig, ROOM_RATE);
        rig_impedance(&rig, 10.0);
        rig.room.sized_by_points = true;
        for (int axis = 0; axis < 3; axis++)
            rig.room.points[axis] = ROOM_POINTS;
        int status = grid_make_for(&grid, &rig.room, &(struct grid_use){.purpose = PURPOSE_INSTRUMENTS}, e);
        if (!status)
            impulse = add_plate(&rig, number, grid.spacing, &v->random);
        status = status || rig_build(&rig, true, e) || follow_blow(&worst, &rig, impulse, v, e);
        rig_end(&rig);
        if (status)
            return -1;
    }
    report_bound(r, "crashes", worst.drift, DRIFT_MAX,
                 "plates bent by 1 to 8 thicknesses in air, %d rooms: drift of the stored stretching from that of the "
                 "shape, rms over rms",
                 cases);
    report_bound(r, "crashes", worst.balance, 1e-11,
                 "plates bent by 1 to 8 thicknesses in air, %d rooms: error of the energy balance over the energy of "
                 "the blow",
                 cases);
    return 0;
}

int check_synth_crashes(struct validation *v, struct report *r, struct error *e)
{
    return check_pitch(v, r, false, e) || check_pitch(v, r, true, e) || check_energy(v, r, e) ? -1 : 0;
}
