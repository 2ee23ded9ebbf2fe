/* SPDX-License-Identifier: MIT */
#include "render/preview/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "dsp/band_filter.h"
#include "dsp/space/harmonics.h"
#include "dsp/space/integrators.h"
#include "render/directions.h"
#include "render/preview/rate_change.h"
#include "render/preview/room_on_grid.h"
#include "render/response.h" /* RESPONSE_HIGH_PASS */
#include "render/trial.h"
#include "room/grid/model.h"

static const double COARSEST_RATE = 2000.0; /* Hz: valid band up to 150 Hz, the lowest useful one */
static const double TRIAL_SECONDS = 0.1;
static const double POINTS_UNTRIED =
    2e7; /* points: beyond this, a part of the grid is timed before all of it is created */
enum { BLOCK_MAX = 1 << 20 };

static const struct grid_use live_use = {.purpose = PURPOSE_LIVE};

/* Edges of the filters. The valid band ends below 0.2 of the grid rate for any allowed dispersion (cut-off of the
 * scheme), so that its images, and those of the input filter's stop edge, lie more than an octave above it. */
static const double FAR = 10.0;     /* m */
static const double STOP_IN = 0.3;  /* of the grid rate */
static const double STOP_OUT = 2.0; /* of the valid frequency: nothing above the valid band is needed */

/* The room on one grid. */
struct stage {
    struct room room; /* a shallow copy with its own grid and size */
    struct model *model;
    struct leapfrog_problem leapfrog;
    struct problem problem;
    struct solver *solver;
    size_t every, steps; /* frames per step; steps per block */
    double gain;
    struct decimator decimator;
    struct high_pass_state high_pass;
    struct interpolator interpolator;
    double *drive; /* [steps] */
    double *taps;  /* [receivers][steps] */
    const struct monitor *monitor;
    struct near_field_filter integrators[LISTENED_FIELD_MAX]; /* of the channels of the field */
    float *out[RECEIVERS_MAX];                                /* by channel of the room */
    double factor;
};

struct live {
    struct room *room;
    struct monitor monitor;
    struct stage *stage;
};

static void stage_close(struct stage *g)
{
    if (!g)
        return;
    solver_close(g->solver);
    model_problem_free(&g->problem);
    model_free(g->model);
    decimator_free(&g->decimator);
    interpolator_free(&g->interpolator);
    free(g->drive);
    free(g->taps);
    free(g);
}

static int make_filters(struct stage *g, const struct live_settings *s, struct error *e)
{
    const double grid_rate = g->model->grid.rate / s->rate, valid = g->model->grid.valid_frequency / s->rate;
    const size_t receivers = room_channel_count(&g->room);
    const struct band in = {valid, fmax(STOP_IN * grid_rate, 1.2 * valid)}, out = {valid, STOP_OUT * valid};
    if (decimator_make(&g->decimator, g->every, g->steps * g->every, in, e) ||
        interpolator_make(&g->interpolator, g->every, g->steps, receivers, out, e))
        return -1;
    g->drive = calloc(g->steps, sizeof *g->drive);
    g->taps = calloc(g->steps * receivers, sizeof *g->taps);
    return g->drive && g->taps ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

/* Each order has its own filter; the order of a channel follows from its index. */
static void make_integrators(struct stage *g, double distance)
{
    const struct grid *grid = &g->model->grid;
    const struct integrator integrator = {INTEGRATOR_NEAR_FIELD, distance > 0.0 ? distance : FAR, grid->sound_speed};
    for (size_t c = 0; c < g->monitor->field; c++)
        near_field_filter_make(&g->integrators[c], &integrator, harmonics_order_of(c), grid->rate);
}

/* From (s/c)^n times the field to the field. */
static void integrate(struct stage *g)
{
    const struct monitor *l = g->monitor;
    for (size_t c = 1; c < l->field; c++)
        near_field_filter_run(&g->integrators[c], g->taps + l->channel[l->receivers + c] * g->steps, g->steps);
}

/* The room's channels are in a different order, and those beyond the first nine receivers are not
 * monitored. */
static void interpolate(struct stage *g, float *const *out)
{
    const struct monitor *l = g->monitor;
    for (size_t i = 0; i < l->receivers + l->field; i++)
        g->out[l->channel[i]] = out[i];
    interpolator_run(&g->interpolator, g->taps, g->out);
}

static int stage_run(struct stage *g, const float *in, float *const *out, struct error *e)
{
    const struct block block = {g->drive, g->steps, g->taps, g->steps};
    decimator_run(&g->decimator, in, g->drive);
    high_pass_run(&g->high_pass, g->drive, g->steps, RESPONSE_HIGH_PASS, g->model->grid.rate);
    for (size_t n = 0; n < g->steps; n++)
        g->drive[n] *= g->gain;
    if (solver_run(g->solver, g->steps, &block, e))
        return -1;
    for (size_t i = 0; i < g->steps * g->problem.tap_count; i++)
        if (!isfinite(g->taps[i]))
            return fail(e, ERROR_UNSTABLE, "the field overflowed; live listening stops");
    integrate(g);
    interpolate(g, out);
    return 0;
}

/* Measures g->factor with blocks of silence, which leave the room at rest. */
static int measure_blocks(struct stage *g, double rate, struct error *e)
{
    const size_t frames = g->steps * g->every, receivers = g->monitor->receivers + g->monitor->field;
    float *in = calloc(frames, sizeof *in), *heard = calloc(frames * receivers, sizeof *heard);
    float **out = calloc(receivers, sizeof *out);
    int status = in && heard && out ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < receivers; i++)
        out[i] = heard + i * frames;
    double seconds = 0.0;
    size_t blocks = 0;
    for (const double start = clock_seconds(); !status && seconds < TRIAL_SECONDS; blocks++) {
        status = stage_run(g, in, out, e);
        seconds = clock_seconds() - start;
    }
    g->factor = (double)(blocks * frames) / rate / seconds;
    free(in);
    free(heard);
    free(out);
    return status;
}

static int measure(struct stage *g, double rate, struct error *e)
{
    const struct block silence = {0};
    if (solver_run(g->solver, 1, &silence, e)) /* first touch of all memory */
        return -1;
    const double start = clock_seconds();
    if (solver_run(g->solver, 1, &silence, e))
        return -1;
    const double step = clock_seconds() - start;
    g->factor = 1.0 / (step * g->model->grid.rate);
    /* on such a slow grid a whole block takes too long to measure */
    return step * g->model->grid.rate > 10.0 ? 0 : measure_blocks(g, rate, e);
}

static int too_slow(const struct stage *g, double factor, const struct live_settings *s, struct error *e)
{
    return fail(e, ERROR_FAILED,
                "%s: a grid of %.4g Hz runs at %.3g times real time, but live listening needs %.3g times", s->path,
                g->model->grid.rate, factor, s->factor_min);
}

/* Refuses a large grid before creating it if a part of it is far too slow. */
static int check_speed(const struct stage *g, const struct live_settings *s, const struct solver_options *choice,
                       struct error *e)
{
    const double points = (double)grid_points(&g->model->grid);
    double speed;
    if (!(points > POINTS_UNTRIED))
        return 0;
    if (trial_speed(&speed, g->model, choice, e))
        return -1;
    const double factor = speed / points / g->model->grid.rate;
    return factor >= 0.5 * s->factor_min ? 0 : too_slow(g, factor, s, e);
}

/* The room on a grid of rate / every if it is fast enough; else ERROR_FAILED. */
static int stage_open(struct stage **out, const struct room *room, const struct monitor *monitor,
                      const struct grid *own, size_t every, const struct live_settings *s, struct error *e)
{
    static const struct solver_options automatic = {0};
    const struct solver_options *choice = s->choice ? s->choice : &automatic;
    struct stage *g = calloc(1, sizeof *g);
    *out = NULL;
    if (!g)
        return fail(e, ERROR_MEMORY, "out of memory");
    g->room = room_on_grid(room, own, s->rate / (double)every);
    g->every = every;
    g->monitor = monitor;
    g->steps = (s->block + every - 1) / every;
    g->gain = room->sources[s->source].gain;
    if (model_make_for(&g->model, &g->room, &live_use, e) || check_speed(g, s, choice, e) ||
        model_problem(&g->problem, &g->leapfrog, g->model, s->source, 1, e))
        goto fail;
    g->leapfrog.viscosity = room->air.losses ? g->model->grid.viscosity : 0.0;
    make_integrators(g, s->field_distance > 0.0 ? s->field_distance : monitor->distance);
    if (make_filters(g, s, e) || solver_open(&g->solver, &g->problem, choice, e) || measure(g, s->rate, e))
        goto fail;
    for (int again = 0; again < 2 && g->factor < s->factor_min && g->factor > 0.4 * s->factor_min; again++) {
        const double before = g->factor; /* best of three, because other programs may use the processor */
        if (measure_blocks(g, s->rate, e))
            goto fail;
        g->factor = g->factor > before ? g->factor : before;
    }
    if (!(g->factor >= s->factor_min)) {
        too_slow(g, g->factor, s, e);
        goto fail;
    }
    *out = g;
    return 0;
fail:
    stage_close(g);
    return -1;
}

/* Opens the coarsest grid, from COARSEST_RATE up, on which sources and receivers can be placed. */
static int open_coarsest(struct live *l, const struct grid *own, size_t finest, const struct live_settings *s,
                         struct error *e)
{
    const double max = floor(s->rate / COARSEST_RATE);
    size_t every = max > (double)finest ? (size_t)max : finest;
    while (stage_open(&l->stage, l->room, &l->monitor, own, every, s, e)) {
        if (e->code != ERROR_INPUT || every == finest)
            return -1;
        every = finest + (every - finest) / 2;
    }
    return 0;
}

/* Refines to the finest grid that is fast enough. Time per second grows with the fourth power of
 * the rate, and more slowly on small grids: each estimate errs on the coarse side, and the next is
 * better. */
static void refine(struct live *l, const struct grid *own, size_t finest, const struct live_settings *s)
{
    size_t slow = finest - 1; /* largest divisor of the rate known to be too slow */
    bool guess = true;
    while (l->stage->every > slow + 1) {
        const size_t fast = l->stage->every;
        const double wanted = (double)fast * pow(s->factor_min / l->stage->factor, 0.25);
        size_t every = guess && wanted > (double)slow ? (size_t)ceil(wanted) : (slow + 1 + fast) / 2;
        every = every > slow ? every : slow + 1;
        every = every < fast ? every : fast - 1;
        struct stage *finer;
        struct error reason;
        guess = !stage_open(&finer, l->room, &l->monitor, own, every, s, &reason);
        if (guess) {
            stage_close(l->stage);
            l->stage = finer;
        } else {
            slow = every;
        }
    }
}

static int check(const struct live_settings *s, const struct room *room, const struct monitor *monitor, struct error *e)
{
    if (!(s->rate >= 1000.0 && s->rate <= 1e6) || s->block < 1 || s->block > BLOCK_MAX || !(s->factor_min > 0.0))
        return fail(e, ERROR_FAILED, "live listening at %g Hz in blocks of %zu at %g times real time is invalid",
                    s->rate, s->block, s->factor_min);
    if (s->source >= room->source_count)
        return fail(e, ERROR_USAGE, "%s: source %zu does not exist; the room has %zu", s->path, s->source + 1,
                    room->source_count);
    if (room->sources[s->source].directivity != DIRECTIVITY_OMNI)
        return fail(e, ERROR_INPUT,
                    "%s: live listening supports sources of directivity omni only; preview without --live", s->path);
    for (size_t i = 0; i < room->receiver_count; i++)
        if (i != monitor->head && receiver_order(&room->receivers[i]))
            return fail(e, ERROR_INPUT,
                        "%s: live listening supports receivers of type omni and array, and one of type ambisonic or "
                        "binaural; preview without --live",
                        s->path);
    if (room_channel_count(room) > monitor->receivers + monitor->field)
        return fail(e, ERROR_FAILED, "live listening supports at most %d channels of receivers", LISTENED_DIRECT_MAX);
    return 0;
}

int live_open(struct live **out, const struct live_settings *s, struct error *e)
{
    struct grid own; /* as in the room file */
    struct error reason;
    *out = NULL;
    struct live *l = calloc(1, sizeof *l);
    if (!l)
        return fail(e, ERROR_MEMORY, "out of memory");
    e = e ? e : &reason;
    if (room_read(&l->room, s->path, s->settings, s->setting_count, e))
        goto fail;
    monitor_make(&l->monitor, l->room);
    if (check(s, l->room, &l->monitor, e) || grid_make_for(&own, l->room, &live_use, e))
        goto fail;
    const double ratio = ceil(s->rate / own.rate * (1.0 - 1e-9));
    const size_t finest = ratio > 1.0 ? (size_t)ratio : 1;
    if (open_coarsest(l, &own, finest, s, e))
        goto fail;
    refine(l, &own, finest, s);
    *out = l;
    return 0;
fail:
    live_close(l);
    return -1;
}

void live_close(struct live *l)
{
    if (!l)
        return;
    stage_close(l->stage);
    room_free(l->room);
    free(l);
}

double live_factor(const struct live *l)
{
    return l->stage->factor;
}

double live_grid_rate(const struct live *l)
{
    return l->stage->model->grid.rate;
}

double live_valid_frequency(const struct live *l)
{
    return l->stage->model->grid.valid_frequency;
}

size_t live_block(const struct live *l)
{
    return l->stage->steps * l->stage->every;
}

const struct monitor *live_monitor(const struct live *l)
{
    return &l->monitor;
}

size_t live_latency(const struct live *l)
{
    return l->stage->decimator.half + l->stage->interpolator.half;
}

int live_run(struct live *l, const float *in, float *const *out, struct error *e)
{
    return stage_run(l->stage, in, out, e);
}
