/* SPDX-License-Identifier: MIT */
/* Runs with instruments that are interrupted at a random step and resumed in another solver that
 * has already run, from the arrays and the pieces of the state: by the same engine with the same
 * bits, and from one engine to another. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_furnish.h"
#include "validate/bodies/synth_room.h"
#include "validate/saved_state.h"

enum { STEPS = 1200, DRIVEN = 900, CASES = 4, CASES_FULL = 40, PLAYED_MOST = 13 };

static const double rate = 6000.0;

struct heard {
    double *taps; /* [tap_count][STEPS] */
    struct audit audit;
    const char *engine;
};

struct broken_run {
    struct rig rig;
    double *drive; /* [drive_count][STEPS] */
    struct saved_state saved;
    struct heard whole, resumed;
    size_t step, played; /* step of the interruption; steps taken before by the other solver */
};

struct tally {
    size_t cases, moved;
    uint64_t wrong;
    double energy, moved_taps; /* differences relative to peak */
    const char *engine;
};

static int run(struct solver *s, const struct broken_run *b, size_t from, size_t to, double *taps, struct error *e)
{
    const struct block block = {b->drive + from, STEPS, taps ? taps + from : NULL, STEPS};
    return solver_run(s, to - from, &block, e);
}

static int play_whole(struct broken_run *b, const struct solver_options *c, struct error *e)
{
    struct solver *s;
    if (solver_open(&s, &b->rig.problem.problem, c, e))
        return -1;
    const int status = run(s, b, 0, STEPS, b->whole.taps, e) || solver_audit(s, &b->whole.audit, e);
    b->whole.engine = solver_plan_of(s)->engine;
    solver_close(s);
    return status ? -1 : 0;
}

static int play_until(struct broken_run *b, const struct solver_options *c, struct error *e)
{
    struct solver *s;
    if (solver_open(&s, &b->rig.problem.problem, c, e))
        return -1;
    const int status =
        run(s, b, 0, b->step, b->resumed.taps, e) || saved_state_take(&b->saved, s, &b->rig.problem.problem, e);
    solver_close(s);
    return status ? -1 : 0;
}

static int play_on(struct broken_run *b, const struct solver_options *c, struct error *e)
{
    struct solver *s;
    if (solver_open(&s, &b->rig.problem.problem, c, e))
        return -1;
    const int status = run(s, b, 0, b->played, NULL, e) || saved_state_put(s, &b->saved, &b->rig.problem.problem, e) ||
                       run(s, b, b->step, STEPS, b->resumed.taps, e) || solver_audit(s, &b->resumed.audit, e);
    b->resumed.engine = solver_plan_of(s)->engine;
    solver_close(s);
    return status ? -1 : 0;
}

static int play_broken(struct broken_run *b, const struct solver_options *first, const struct solver_options *then,
                       struct error *e)
{
    const int status = play_until(b, first, e) || play_on(b, then, e);
    saved_state_free(&b->saved);
    return status ? -1 : 0;
}

static uint64_t count_wrong(const struct broken_run *b)
{
    uint64_t wrong = 0;
    for (size_t n = 0; n < b->rig.problem.problem.tap_count * STEPS; n++)
        wrong += memcmp(&b->whole.taps[n], &b->resumed.taps[n], sizeof(double)) != 0;
    return wrong;
}

/* Largest difference of a tap relative to its peak. */
static double difference(const struct broken_run *b)
{
    double worst = 0.0;
    for (size_t c = 0; c < b->rig.problem.problem.tap_count; c++) {
        double largest = 0.0, peak = 0.0;
        for (size_t n = c * STEPS; n < (c + 1) * STEPS; n++) {
            largest = nan_max(largest, fabs(b->whole.taps[n] - b->resumed.taps[n]));
            peak = fmax(peak, fabs(b->whole.taps[n]));
        }
        worst = nan_max(worst, largest / peak);
    }
    return worst;
}

static double energy_difference(const struct audit *a, const struct audit *b)
{
    const double scale = fmax(fabs(a->supplied), fabs(a->stored));
    return nan_max(
        nan_max(fabs(a->stored - b->stored) / scale, a->balanced ? fabs(a->absorbed - b->absorbed) / scale : 0.0),
        a->balanced ? fabs(a->supplied - b->supplied) / scale : 0.0);
}

static int furnish(struct rig *r, bool touched, struct random *random, struct error *e)
{
    const struct room_plan plan = {
        .fit = NODES_CLOSE, .lossy = true, .touched = true, .number = (int)random_between(random, 0, 5)};
    if (touched && room_make(r, &plan, random, e))
        return -1;
    for (size_t i = 0; i < r->room.instrument_count && touched; i++)
        rig_hear(r, &r->instruments[i], 0.2, 0.0);
    if (touched)
        return 0;
    rig_begin(r, rate);
    rig_furnish(r);
    return 0;
}

static int open_case(struct broken_run *b, enum precision precision, bool touched, struct random *r, struct error *e)
{
    memset(b, 0, sizeof *b);
    if (furnish(&b->rig, touched, r, e))
        return -1;
    b->rig.room.grid.precision = precision;
    if (rig_build(&b->rig, true, e))
        return -1;
    const struct problem *p = &b->rig.problem.problem;
    b->drive = calloc(p->drive_count * STEPS + 1, sizeof *b->drive);
    b->whole.taps = calloc(p->tap_count * STEPS + 1, sizeof *b->whole.taps);
    b->resumed.taps = calloc(p->tap_count * STEPS + 1, sizeof *b->resumed.taps);
    if (!b->drive || !b->whole.taps || !b->resumed.taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t n = 0; n < p->drive_count * STEPS; n++)
        b->drive[n] = n % STEPS < DRIVEN ? random_unit(r) - 0.5 : 0.0;
    for (size_t i = 0; i < p->drive_count; i++)
        room_touch(b->drive + i * STEPS, &b->rig, i, STEPS, r);
    b->step = random_between(r, 1, STEPS - 1);
    b->played = random_between(r, 0, PLAYED_MOST);
    return 0;
}

static void close_case(struct broken_run *b)
{
    free(b->drive);
    free(b->whole.taps);
    free(b->resumed.taps);
    rig_end(&b->rig);
}

static int try_case(struct tally *t, struct broken_run *b, struct validation *v, struct error *e)
{
    const struct solver_options cpu = {.engine = "cpu", .threads = (int)random_between(&v->random, 1, 3)};
    struct solver_options own = v->choice;
    own.audit = random_between(&v->random, 0, 1);
    if (play_whole(b, &own, e) || play_broken(b, &own, &own, e))
        return -1;
    t->wrong += count_wrong(b);
    t->energy = nan_max(t->energy, energy_difference(&b->whole.audit, &b->resumed.audit));
    t->engine = b->whole.engine;
    t->cases++;
    for (int way = 0; way < 2 && strcmp(b->whole.engine, "cpu") != 0; way++) {
        if (play_broken(b, way ? &cpu : &own, way ? &own : &cpu, e))
            return -1;
        t->moved_taps = nan_max(t->moved_taps, difference(b));
        t->moved++;
    }
    return 0;
}

static int check_cases(struct validation *v, struct report *r, enum precision precision, bool touched, struct error *e)
{
    /* what touches them amplifies rounding */
    static const double bounds[2][2] = {{[PRECISION_SINGLE] = 1e-4, [PRECISION_DOUBLE] = 1e-10},
                                        {[PRECISION_SINGLE] = 3e-2, [PRECISION_DOUBLE] = 1e-5}};
    const int cases = v->cases ? v->cases : v->full ? CASES_FULL : CASES;
    struct tally t = {.engine = "none"};
    int status = 0;
    for (int i = 0; i < (cases + 1) / 2 && !status; i++) {
        struct broken_run b;
        status = open_case(&b, precision, touched, &v->random, e) || try_case(&t, &b, v, e);
        close_case(&b);
    }
    if (status)
        return -1;
    report_bound(r, "resumed", (double)t.wrong, 0.0,
                 "%s, %s: a drum, a plate, two strings and a bar%s, %zu runs interrupted and resumed: output values "
                 "that differ",
                 t.engine, precision_names[precision], touched ? ", with mallets, a hammer and a bow" : "", t.cases);
    report_bound(r, "resumed", t.energy, 1e-11, "    energies");
    if (t.moved)
        report_bound(r, "resumed", t.moved_taps, bounds[touched][precision],
                     "    %zu runs resumed on another engine: error relative to peak", t.moved);
    return 0;
}

int check_synth_resumed(struct validation *v, struct report *r, struct error *e)
{
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--)
        for (int touched = 0; touched < 2; touched++)
            if (check_cases(v, r, (enum precision)precision, touched, e))
                return -1;
    return 0;
}
