/* SPDX-License-Identifier: MIT */
/* A piece on another engine compared with the cpu engine, at every receiver and every pickup. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "solver/engine.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_furnish.h"

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
    }
    return 0;
}
