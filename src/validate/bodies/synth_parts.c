/* SPDX-License-Identifier: MIT */
/* Instruments in a grid in parts compared with the same grid in one part, bit for bit: a drum
 * and a plate with strings anywhere in a room, lossy or lossless air, both precisions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "base/transport/transport.h"
#include "solver/engine.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_furnish.h"

enum { CASES = 4, CASES_FULL = 40, STEPS = 700 };
static const double rate = 6000.0;

struct tally {
    size_t pieces, runs, refused; /* pieces; runs in parts; runs without positions for their cuts */
    uint64_t wrong, elsewhere;    /* values that differ; runs on another engine than that of one part */
    double energy;                /* largest difference of stored energy over the supplied, in audited pieces */
    char first[160];
};

static double between(struct random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

/* Places instruments where they do not touch each other, at any height. */
static void place(struct rig *r, struct random *random)
{
    for (size_t i = 0; i < r->room.instrument_count; i++) {
        struct instrument *instrument = &r->instruments[i];
        if (instrument->type == INSTRUMENT_MEMBRANE)
            instrument->position[2] = between(random, 0.7, 1.9);
        if (instrument->type == INSTRUMENT_PLATE) {
            instrument->position[2] = between(random, 0.6, 1.6);
            instrument->cells = 16;
            instrument->large_amplitude = true;
        }
    }
    r->room.air.losses = random_between(random, 0, 1) != 0;
    for (size_t i = 0; i < r->room.source_count; i++)
        r->sources[i].position[2] = between(random, 0.3, 1.9);
}

/* Number of values that differ in any bit, or are NaN. */
static uint64_t differing(const struct traces *a, const struct traces *b)
{
    uint64_t wrong = a->channels != b->channels || a->frames != b->frames;
    for (size_t i = 0; !wrong && i < a->channels * a->frames; i++)
        wrong += !isfinite(a->samples[i]) || memcmp(&a->samples[i], &b->samples[i], sizeof *a->samples) != 0;
    return wrong;
}

static int run_parts(struct tally *t, const struct piece *piece, const struct performance *expected,
                     const struct solver_options *c, struct error *e)
{
    struct performance got = {0};
    if (perform(&got, piece, c, NULL, e)) {
        performance_free(&got);
        if (e->code != ERROR_USAGE || !strstr(e->message, "no position for cut"))
            return -1;
        t->refused++;
        return 0;
    }
    const uint64_t wrong = differing(&got.air, &expected->air) + differing(&got.pickups, &expected->pickups);
    if (wrong && !t->wrong)
        snprintf(t->first, sizeof t->first, "; first in piece %zu, in %d parts", t->pieces, c->parts.count);
    t->wrong += wrong;
    const struct audit *a = &got.outcome.audit, *b = &expected->outcome.audit;
    t->elsewhere += strcmp(got.plan.engine, expected->plan.engine) != 0;
    if (c->audit || !strcmp(c->engine, "cpu"))
        t->energy = nan_max(t->energy, fabs(a->stored - b->stored) / fmax(fabs(b->stored), 1e-300));
    t->runs++;
    performance_free(&got);
    return 0;
}

static int compare(struct tally *t, const char *engine, enum precision precision, struct validation *v, struct error *e)
{
    static const int counts[] = {2, 3, 4};
    struct rig r;
    struct performance expected = {0};
    struct solver_options c = {.engine = engine, .device = v->choice.device, .audit = !(t->pieces % 2)};
    rig_begin(&r, rate);
    rig_furnish(&r);
    place(&r, &v->random);
    r.room.grid.precision = precision;
    double *sources = calloc(r.room.source_count * STEPS, sizeof *sources);
    int status = sources ? rig_build(&r, true, e) : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < r.room.source_count * STEPS && !status; i++)
        sources[i] = 1e3 * (random_unit(&v->random) - 0.5);
    struct piece piece = rig_piece(&r);
    piece.steps = STEPS;
    piece.sources = sources;
    status = status || perform(&expected, &piece, &c, NULL, e) ? -1 : 0;
    for (size_t k = 0; k < sizeof counts / sizeof *counts && !status; k++) {
        if (v->choice.parts.transport && k > 0)
            break;
        c.parts.transport = v->choice.parts.transport;
        c.parts.count = c.parts.transport ? c.parts.transport->count : counts[k];
        if (!strcmp(engine, "cuda"))
            validation_share(v, &c);
        status = run_parts(t, &piece, &expected, &c, e);
    }
    t->pieces++;
    performance_free(&expected);
    rig_end(&r);
    free(sources);
    return status;
}

int check_synth_parts(struct validation *v, struct report *r, struct error *e)
{
    const int cases = v->cases ? v->cases : v->full ? CASES_FULL : CASES;
    const struct engine *engine = solver_engine(&v->choice, e);
    if (!engine)
        return -1;
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--) {
        struct tally t = {.pieces = 0};
        for (int n = 0; n < cases; n++)
            if (compare(&t, engine->name, (enum precision)precision, v, e))
                return -1;
        if (t.runs == 0) {
            report_skip(r, "parts", "no piece has a position for the cuts");
            continue;
        }
        report_bound(r, "parts", (double)(t.wrong + t.elsewhere), 0.0,
                     "%s, %s: %zu pieces with a drum, a plate, two strings and a bar, %zu runs in parts%s, %zu without "
                     "positions for cuts: values of receivers and pickups that differ from those of one part%s",
                     engine->name, precision_names[precision], t.pieces, t.runs,
                     v->choice.parts.transport ? " (one process each)" : "", t.refused, t.first);
        report_bound(r, "parts", t.energy, 1e-11, "    total energy of the parts compared with one part");
    }
    return 0;
}
