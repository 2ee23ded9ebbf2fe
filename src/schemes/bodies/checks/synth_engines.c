/* SPDX-License-Identifier: MIT */
/* A piece on another engine against the cpu engine: a drum with a shell, a plate with two strings, a bar on a spring,
 * and two sources, in a room with walls of octave bands and lossy air; every receiver and every pickup. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/worst.h"
#include "schemes/bodies/checks/checks.h"
#include "schemes/bodies/checks/synth_rig.h"

static const double rate = 6000.0;

static void decay(struct instrument *i, double low, double high)
{
    i->decay[0] = low;
    i->decay[1] = high;
}

static void add_drum(struct rig *r)
{
    struct instrument *i = rig_instrument(r, INSTRUMENT_MEMBRANE);
    i->outline = OUTLINE_CIRCLE;
    i->radius = 0.36;
    i->surface_density = 0.3;
    i->tension = 900.0;
    i->shell = 0.4;
    i->bottom = SHELL_CLOSED;
    memcpy(i->position, (double[3]){0.9, 1.1, 1.2}, sizeof i->position);
    decay(i, 1.5, 0.4);
    rig_play(r, i, 0.3, 0.1);
    rig_play(r, i, -0.5, 0.2);
    rig_hear(r, i, 0.2, -0.3);
}

static const struct instrument *add_plate(struct rig *r)
{
    struct instrument *i = rig_instrument(r, INSTRUMENT_PLATE);
    i->outline = OUTLINE_RECTANGLE;
    i->normal = AXIS_Y;
    i->sides[0] = 0.8;
    i->sides[1] = 0.6;
    i->thickness = 0.003;
    i->density = 430.0;
    i->young = 3.3e9;
    i->poisson = 0.3;
    i->ends = ENDS_CLAMPED;
    memcpy(i->position, (double[3]){2.1, 1.3, 1.1}, sizeof i->position);
    decay(i, 0.5, 0.1);
    rig_hear(r, i, 0.1, 0.4);
    return i;
}

static void lead(struct rig *r, struct instrument *line, const struct instrument *plate, double u, double v)
{
    line->body_index = (size_t)(plate - r->instruments);
    line->body_place[0] = u;
    line->body_place[1] = v;
    decay(line, 3.0, 1.0);
    rig_play(r, line, 0.2, 0.0);
    rig_hear(r, line, 0.35, 0.0);
}

static void add_lines(struct rig *r, const struct instrument *plate)
{
    for (int n = 0; n < 2; n++) {
        struct instrument *i = rig_instrument(r, INSTRUMENT_STRING);
        i->length = 0.65 - 0.1 * n;
        i->diameter = 0.5e-3;
        i->density = 7800.0;
        i->young = 2e11;
        i->tension = 90.0;
        i->termination = n ? TERMINATION_SPRING : TERMINATION_RIGID;
        i->spring = 5e4;
        i->bridge_mass = 0.01;
        i->played = EXCITATION_PLUCK;
        lead(r, i, plate, 0.3 - 0.5 * n, 0.2);
    }
    struct instrument *bar = rig_instrument(r, INSTRUMENT_BAR);
    bar->length = 0.4;
    bar->width = 0.05;
    bar->thickness = 0.012;
    bar->density = 1000.0;
    bar->young = 2e10;
    bar->ends = ENDS_FREE;
    bar->termination = TERMINATION_SPRING;
    bar->spring = 2e4;
    lead(r, bar, plate, 0.0, -0.3);
}

static void furnish(struct rig *r)
{
    static const double octaves[OCTAVE_BANDS] = {0.1, 0.15, 0.3, 0.5, 0.6, 0.6, 0.6, 0.6};
    rig_absorption(r, octaves);
    memcpy(r->room.size, (double[3]){3.0, 2.4, 2.2}, sizeof r->room.size);
    r->room.air.losses = true;
    add_drum(r);
    add_lines(r, add_plate(r));
    for (size_t i = 0; i < r->score.count; i++) {
        r->events[i].time = 0.07 * (double)i;
        r->events[i].force = 10.0 + 3.0 * (double)i;
        r->events[i].duration = 2e-3;
    }
    rig_source(r, 0.5, 1.9, 0.4);
    rig_source(r, 2.6, 0.5, 1.8);
    rig_receiver(r, 1.5, 0.6, 1.0);
    rig_receiver(r, 0.6, 1.8, 1.7);
}

/* Largest difference of a channel relative to its peak. */
static double difference(const struct traces *a, const struct traces *b)
{
    double worst = 0.0;
    for (size_t c = 0; c < b->channels; c++) {
        double largest = 0.0, peak = 0.0;
        for (size_t n = c * b->frames; n < (c + 1) * b->frames; n++) {
            largest = worst_of(largest, fabs(a->samples[n] - b->samples[n]));
            peak = fmax(peak, fabs(b->samples[n]));
        }
        worst = worst_of(worst, largest / peak);
    }
    return worst;
}

struct outcome {
    double air, pickups;
    const char *engine;
    char passed_over[256];
};

/* The second difference of noise: without mean and drift, which a room keeps. About as loud as the instruments. */
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
    const struct choice cpu = {.engine = "cpu"};
    rig_begin(&r, rate);
    furnish(&r);
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
                              got.requirement.engine, ""};
        memcpy(o->passed_over, got.requirement.passed_over, sizeof o->passed_over);
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
        report_skip(r, "engines",
                    "a piece on another engine against the cpu's: the cpu engine is the one that was chosen");
        return 0;
    }
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--) {
        struct outcome o;
        if (compare(&o, (enum precision)precision, v, e))
            return -1;
        if (!strcmp(o.engine, "cpu")) {
            report_skip(r, "engines", *o.passed_over ? o.passed_over : "no other engine took the piece");
            continue;
        }
        report_bound(
            r, "engines", o.air, bounds[precision],
            "a piece of 1 s with a drum, a plate, two strings and a bar, %s, %s against cpu: receivers over peak",
            precision_names[precision], o.engine);
        report_bound(r, "engines", o.pickups, bounds[precision], "    pickups over peak");
    }
    return 0;
}
