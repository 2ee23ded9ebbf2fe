/* SPDX-License-Identifier: MIT */
/* Pieces on another engine compared with the cpu engine, at every receiver and every pickup. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "solver/engine.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_furnish.h"
#include "validate/bodies/synth_room.h"

static const double rate = 6000.0;

/* Largest difference of a channel relative to its peak. */
static double difference(const struct traces *a, const struct traces *b)
{
    double worst = 0.0;
    for (size_t c = 0; c < b->channels; c++) {
        double largest = 0.0, peak = 0.0;
        for (size_t n = c * b->frames; n < (c + 1) * b->frames; n++) {
            largest = nan_max(largest, fabs(a->samples[n] - b->samples[n]));
            peak = fmax(peak, fabs(b->samples[n]));
        }
        worst = nan_max(worst, largest / peak);
    }
    return worst;
}

struct outcome {
    double air, pickups;
    const char *engine;
    char passed_over[256];
};

/* The second difference of noise, without mean and drift, which a room would keep. About as loud
 * as the instruments. */
static void make_noise(double *x, size_t count, struct random *r)
{
    for (size_t n = 0; n + 2 < count; n++) {
        const double value = 1e3 * (random_unit(r) - 0.5);
        x[n] += value;
        x[n + 1] -= 2.0 * value;
        x[n + 2] += value;
    }
}

static int compare(struct outcome *o, enum precision precision, struct validation *v, struct error *e)
{
    struct rig r;
    struct performance got = {0}, expected = {0};
    const struct solver_options cpu = {.engine = "cpu"};
    rig_begin(&r, rate);
    rig_furnish(&r);
    r.room.grid.precision = precision;
    const size_t steps = (size_t)rate;
    double *sources = calloc(r.room.source_count * steps, sizeof *sources);
    int status = sources ? rig_build(&r, true, e) : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < r.room.source_count && !status; i++)
        make_noise(sources + i * steps, steps / 4, &v->random);
    if (!status) {
        struct piece piece = rig_piece(&r);
        piece.steps = steps;
        piece.sources = sources;
        status = perform(&got, &piece, &v->choice, NULL, e) || perform(&expected, &piece, &cpu, NULL, e);
    }
    if (!status) {
        *o = (struct outcome){difference(&got.air, &expected.air), difference(&got.pickups, &expected.pickups),
                              got.plan.engine, ""};
        memcpy(o->passed_over, got.plan.passed_over, sizeof o->passed_over);
    }
    performance_free(&got);
    performance_free(&expected);
    rig_end(&r);
    free(sources);
    return status ? -1 : 0;
}

/* ---- mallets, a hammer and a bow, whose motion is chaotic: engines differ by what rounding grows to */

enum { TOUCHED_STEPS = 1200, TOUCHED_CASES = 3 };
static const double ROUNDING = 1e-15; /* relative change of all forces and speeds, which stands for rounding */
static const double TOUCHED_MARGIN = 30.0;

/* Differences from the piece on the cpu engine: of the engine, and of the cpu engine after such a change, or
 * in double in place of single precision. */
struct touched_outcome {
    double got, rounded;
    const char *engine;
    char passed_over[256];
};

/* change: factor of forces and speeds. */
static int make_touched(struct rig *r, int number, enum precision precision, double change, struct random random,
                        struct error *e)
{
    const struct room_plan plan = {
        .fit = (enum fit)(number % FITS), .walls = WALLS_OCTAVES, .lossy = true, .touched = true, .number = number};
    if (room_make(r, &plan, &random, e))
        return -1;
    r->room.grid.precision = precision;
    for (size_t i = 0; i < r->score.count; i++) {
        const struct instrument *played = &r->instruments[r->events[i].instrument];
        r->events[i].time = 0.003 * (double)i;
        r->events[i].velocity *= change;
        r->events[i].force *= change;
        rig_hear(r, played, played->type == INSTRUMENT_STRING || played->type == INSTRUMENT_BAR ? 0.4 : 0.1, 0.0);
    }
    rig_receiver(r, 0.3, 0.35, 0.4);
    return rig_build(r, true, e);
}

static double worst_difference(const struct performance *a, const struct performance *b)
{
    return nan_max(difference(&a->air, &b->air), difference(&a->pickups, &b->pickups));
}

static int perform_touched(struct performance *p, const struct rig *r, const struct solver_options *c, struct error *e)
{
    double *silence = calloc(r->room.source_count * TOUCHED_STEPS, sizeof *silence);
    struct piece piece = rig_piece(r);
    piece.steps = TOUCHED_STEPS;
    piece.sources = silence;
    const int status = silence ? perform(p, &piece, c, NULL, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(silence);
    return status;
}

static int compare_touched(struct touched_outcome *o, int number, enum precision precision, struct validation *v,
                           struct error *e)
{
    const struct solver_options cpu = {.engine = "cpu"};
    const bool single = precision == PRECISION_SINGLE;
    struct rig r = {.model = NULL}, other = {.model = NULL};
    struct performance got = {0}, expected = {0}, rounded = {0};
    int status = make_touched(&r, number, precision, 1.0, v->random, e) ||
                 make_touched(&other, number, PRECISION_DOUBLE, single ? 1.0 : 1.0 + ROUNDING, v->random, e) ||
                 perform_touched(&got, &r, &v->choice, e) || perform_touched(&expected, &r, &cpu, e) ||
                 perform_touched(&rounded, &other, &cpu, e);
    random_bits(&v->random);
    if (!status) {
        *o = (struct touched_outcome){worst_difference(&got, &expected), worst_difference(&rounded, &expected),
                                      got.plan.engine, ""};
        memcpy(o->passed_over, got.plan.passed_over, sizeof o->passed_over);
    }
    performance_free(&got);
    performance_free(&expected);
    performance_free(&rounded);
    rig_end(&r);
    rig_end(&other);
    return status ? -1 : 0;
}

/* Several rooms; reports that with the largest error over the other. */
static int check_touched(struct validation *v, struct report *r, enum precision precision, struct error *e)
{
    struct touched_outcome worst = {0.0, 1.0, "", ""}, o;
    for (int number = 0; number < TOUCHED_CASES; number++) {
        if (compare_touched(&o, number, precision, v, e))
            return -1;
        if (!strcmp(o.engine, "cpu")) {
            report_skip(r, "engines", *o.passed_over ? o.passed_over : "no other engine could run the piece");
            return 0;
        }
        if (!(o.got / o.rounded <= worst.got / worst.rounded))
            worst = o;
    }
    report_bound(
        r, "engines", worst.got, TOUCHED_MARGIN * worst.rounded,
        "    0.05 s with mallets, a hammer, a bow and stretching, %s: error relative to peak, at most %g times "
        "that of the cpu engine %s",
        precision_names[precision], TOUCHED_MARGIN,
        precision == PRECISION_SINGLE ? "in double precision" : "with other rounding");
    return 0;
}

int check_synth_engines(struct validation *v, struct report *r, struct error *e)
{
    static const double bounds[] = {[PRECISION_SINGLE] = 1e-4, [PRECISION_DOUBLE] = 1e-10};
    const struct engine *engine = solver_engine(&v->choice, e);
    if (!engine)
        return -1;
    if (!strcmp(engine->name, "cpu")) {
        report_skip(r, "engines", "compares another engine with the cpu engine; choose one with --engine");
        return 0;
    }
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--) {
        struct outcome o;
        if (compare(&o, (enum precision)precision, v, e))
            return -1;
        if (!strcmp(o.engine, "cpu")) {
            report_skip(r, "engines", *o.passed_over ? o.passed_over : "no other engine could run the piece");
            continue;
        }
        report_bound(r, "engines", o.air, bounds[precision],
                     "a piece of 1 s with a drum, a plate, two strings and a bar, %s, %s compared with cpu: receivers, "
                     "error relative to peak",
                     precision_names[precision], o.engine);
        report_bound(r, "engines", o.pickups, bounds[precision], "    pickups, error relative to peak");
        if (check_touched(v, r, (enum precision)precision, e))
            return -1;
    }
    return 0;
}
