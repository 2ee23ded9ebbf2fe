/* SPDX-License-Identifier: MIT */
#include "render/synth/perform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "geometry/voxels/voxel_set.h"
#include "render/kept_run.h"
#include "render/synth/air_coupling.h"
#include "render/synth/drift_watch.h"
#include "render/synth/gesture.h"
#include "solver/schemes/leapfrog/leapfrog.h"

/* ---- the problem */

/* The first drive of an event: of its force, or of the inputs of what touches its voice. */
static size_t find_played(const struct performance_problem *p, const struct piece *piece, const struct event *event)
{
    const size_t voice = ensemble_voice(piece->ensemble, event->instrument, event->pitch);
    const size_t touch = touch_of(piece->ensemble, piece->room, event);
    size_t i = 0;
    while (i < p->played_count &&
           (touch != SIZE_MAX ? p->played[i].touch != touch
                              : p->played[i].touch != SIZE_MAX || p->played[i].voice != voice ||
                                    memcmp(p->played[i].place, event->place, sizeof event->place)))
        i++;
    return i;
}

static size_t inputs_of(const struct touch *t)
{
    return t->kind == TOUCH_BOW ? PORT_INPUTS : 1;
}

/* Number of drives of an event: touch_of it, and its voice. */
static size_t drives_of(const struct ensemble *s, size_t touch, size_t voice)
{
    return touch != SIZE_MAX       ? inputs_of(&s->touches[touch])
           : s->voices[voice].wind ? wind_voice_inputs(s->voices[voice].wind)
                                   : 1;
}

static int list_played(struct performance_problem *p, const struct piece *piece, struct error *e)
{
    const struct ensemble *s = piece->ensemble;
    size_t inputs = 0;
    for (size_t i = 0; i < s->voice_count; i++)
        inputs += s->voices[i].wind ? wind_voice_inputs(s->voices[i].wind) : 0;
    p->played = calloc(piece->score->count + PORT_INPUTS * s->touch_count + inputs + 1, sizeof *p->played);
    if (!p->played)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < piece->score->count; i++) {
        const struct event *event = &piece->score->events[i];
        const size_t touch = touch_of(s, piece->room, event);
        const size_t voice = ensemble_voice(s, event->instrument, event->pitch);
        if (find_played(p, piece, event) < p->played_count)
            continue;
        for (size_t k = 0; k < drives_of(s, touch, voice); k++)
            p->played[p->played_count++] = (struct voice_drive){
                .voice = voice, .place = {event->place[0], event->place[1]}, .touch = touch, .input = k};
    }
    return 0;
}

/* The drive of a force at a place, or of an input of a port or wind instrument. */
static int played_channel(struct channel *c, const struct piece *piece, const struct voice_drive *drive,
                          struct error *e)
{
    const struct voice *v = &piece->ensemble->voices[drive->voice];
    if (drive->touch == SIZE_MAX && !v->wind)
        return ensemble_channel(c, piece->ensemble, drive->voice, drive->place, CHANNEL_PLACE, e);
    const struct touch *t = v->wind ? NULL : &piece->ensemble->touches[drive->touch];
    *c = (struct channel){calloc(1, sizeof *c->entries), 1};
    if (!c->entries)
        return fail(e, ERROR_MEMORY, "out of memory");
    c->entries[0] = t ? (struct channel_entry){PORT_INPUTS * t->port + drive->input, 1.0, t->array, 1}
                      : (struct channel_entry){drive->input, 1.0, v->array, 1};
    return 0;
}

static size_t source_drive_count(const struct piece *piece)
{
    return room_first_drive(piece->room, piece->source_count);
}

/* A copy of a model's channel, with its entries at the time level after the step. */
static int copy_channel(struct channel *out, const struct channel *in, struct error *e)
{
    *out = (struct channel){calloc(in->count + 1, sizeof *out->entries), in->count};
    if (!out->entries)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < in->count; i++) {
        out->entries[i] = in->entries[i];
        out->entries[i].level = 1;
    }
    return 0;
}

/* A pickup sums all voices of its instrument. */
static int pickup_channel(struct channel *out, const struct piece *piece, const struct pickup *pickup, struct error *e)
{
    *out = (struct channel){NULL, 0};
    for (size_t i = 0; i < piece->ensemble->voice_count; i++) {
        struct channel one;
        if (piece->ensemble->voices[i].instrument != pickup->instrument || piece->ensemble->voices[i].is_wire)
            continue;
        if (ensemble_channel(&one, piece->ensemble, i, pickup->place, CHANNEL_VELOCITY, e))
            goto fail;
        struct channel_entry *more = realloc(out->entries, (out->count + one.count + 1) * sizeof *more);
        if (more) {
            out->entries = more;
            memcpy(more + out->count, one.entries, one.count * sizeof *more);
            out->count += one.count;
        }
        free(one.entries);
        if (!more) {
            fail(e, ERROR_MEMORY, "out of memory");
            goto fail;
        }
    }
    return 0;
fail:
    free(out->entries);
    *out = (struct channel){NULL, 0};
    return -1;
}

static int base_problem(struct performance_problem *p, const struct piece *piece, struct error *e)
{
    struct problem *problem = &p->problem;
    if (piece->model) {
        if (model_problem(problem, &p->leapfrog, piece->model, 0, piece->source_count, e))
            return -1;
        free((void *)problem->drives);
        free((void *)problem->taps);
        p->leapfrog.viscosity = piece->room->air.losses ? piece->model->grid.viscosity : 0.0;
    } else {
        *problem = (struct problem){.scheme = &cartesian7_scheme,
                                    .parameters = &p->leapfrog,
                                    .points = {1, 1, 1},
                                    .precision = PRECISION_DOUBLE};
        p->leapfrog = (struct leapfrog_problem){.courant_squared = 0.25};
        const uint8_t cell = CELL_SOLID, outside[FACES] = {cell, cell, cell, cell, cell, cell};
        if (voxel_set_of_cells(&p->no_air, problem->points, &cell, outside, e))
            return -1;
        p->leapfrog.voxels = p->no_air;
    }
    p->leapfrog.bodies = &piece->ensemble->bodies;
    return 0;
}

int performance_problem_make(struct performance_problem *p, const struct piece *piece, struct error *e)
{
    const struct room *room = piece->room;
    const size_t receivers = piece->model ? room_tap_count(room) : 0, of_sources = source_drive_count(piece);
    size_t drives = 0, taps = 0;
    memset(p, 0, sizeof *p);
    if (list_played(p, piece, e) || base_problem(p, piece, e))
        goto fail;
    p->drives = calloc(of_sources + p->played_count + 1, sizeof *p->drives);
    p->taps = calloc(receivers + room->pickup_count + 1, sizeof *p->taps);
    if (!p->drives || !p->taps) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto fail;
    }
    p->problem.drives = p->drives;
    p->problem.taps = p->taps;
    for (; drives < of_sources; p->problem.drive_count = ++drives)
        if (copy_channel(&p->drives[drives], &piece->model->sources[drives].channel, e))
            goto fail;
    for (size_t i = 0; i < p->played_count; i++, p->problem.drive_count = ++drives)
        if (played_channel(&p->drives[drives], piece, &p->played[i], e))
            goto fail;
    for (; taps < receivers; p->problem.tap_count = ++taps)
        if (copy_channel(&p->taps[taps], &piece->model->receivers[taps].channel, e))
            goto fail;
    for (size_t i = 0; i < room->pickup_count; i++, p->problem.tap_count = ++taps)
        if (pickup_channel(&p->taps[taps], piece, &room->pickups[i], e))
            goto fail;
    return 0;
fail:
    performance_problem_free(p);
    return -1;
}

void performance_problem_free(struct performance_problem *p)
{
    for (size_t i = 0; i < p->problem.drive_count && p->drives; i++)
        free(p->drives[i].entries);
    for (size_t i = 0; i < p->problem.tap_count && p->taps; i++)
        free(p->taps[i].entries);
    free(p->drives);
    free(p->taps);
    free(p->played);
    voxel_set_free(p->no_air);
    memset(p, 0, sizeof *p);
}

/* ---- drives */

struct score_drives {
    const struct piece *piece;
    const struct performance_problem *problem;
    double *potential;        /* [source_drive_count][steps]: y of the room's sources */
    struct gesture *gestures; /* [events] */
    size_t *drives;           /* [events]: index of the first among the played drives */
};

/* y⁺ = y⁻ + 2k x/ρ. */
static double *make_potential(const struct piece *piece, double density)
{
    double *potential = calloc(source_drive_count(piece) * piece->steps + 1, sizeof *potential);
    for (size_t i = 0; i < source_drive_count(piece) && potential; i++) {
        double *y = potential + i * piece->steps;
        for (size_t n = 1; n < piece->steps; n++)
            y[n] = (n > 1 ? y[n - 2] : 0.0) + 2.0 / (piece->rate * density) * piece->sources[i * piece->steps + n - 1];
    }
    return potential;
}

/* Forces add up; of mallets and bows at the same place, and of wind players, the latest counts. */
static void add_gesture(double *value, const struct gesture *g, size_t input, double step)
{
    const double here = gesture_at(g, input, step);
    *value = is_thrown(g->kind) || g->kind == EXCITATION_BOW || g->wind ? here : *value + here;
}

static void fill_block(const void *context, double *drive, size_t stride, size_t first, size_t steps)
{
    const struct score_drives *c = context;
    const struct piece *piece = c->piece;
    const size_t of_sources = source_drive_count(piece);
    for (size_t i = 0; i < of_sources; i++)
        memcpy(drive + i * stride, c->potential + i * piece->steps + first, steps * sizeof *drive);
    double *played = drive + of_sources * stride;
    for (size_t i = 0; i < c->problem->played_count; i++)
        memset(played + i * stride, 0, steps * sizeof *drive);
    for (size_t i = 0; i < piece->score->count; i++) {
        const struct gesture *g = &c->gestures[i];
        const double begin = ceil(g->start), end = g->start + g->width;
        if (begin >= (double)(first + steps))
            break; /* events are sorted by time */
        for (size_t k = 0; k < g->inputs; k++)
            for (double n = fmax(begin, (double)first); n < fmin(end, (double)(first + steps)); n += 1.0)
                add_gesture(&played[(c->drives[i] + k) * stride + (size_t)n - first], g, k, n);
    }
}

/* The gesture of a wind player, between the notes before and after on the same instrument. */
static void join_breath(struct gesture *g, struct gesture *gestures, const struct piece *piece, size_t i)
{
    const struct event *event = &piece->score->events[i];
    g->wind = piece->ensemble->voices[ensemble_voice(piece->ensemble, event->instrument, event->pitch)].wind;
    for (size_t k = i; k-- > 0 && g->wind && !g->before;)
        if (piece->score->events[k].instrument == event->instrument) {
            g->before = &piece->score->events[k];
            gestures[k].width = g->start - gestures[k].start;
        }
    if (g->wind) {
        g->inputs = wind_voice_inputs(g->wind);
        g->width = INFINITY; /* fingers stay until the next note */
    }
}

static int score_drives_make(struct score_drives *c, const struct piece *piece,
                             const struct performance_problem *problem, double density, struct error *e)
{
    *c = (struct score_drives){piece, problem, make_potential(piece, density),
                               calloc(piece->score->count + 1, sizeof *c->gestures),
                               calloc(piece->score->count + 1, sizeof *c->drives)};
    if (!c->potential || !c->gestures || !c->drives)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < piece->score->count; i++) {
        const struct event *event = &piece->score->events[i];
        c->gestures[i] =
            gesture_make(event, piece->room->instruments[event->instrument].played, piece->rate, piece->onset);
        join_breath(&c->gestures[i], c->gestures, piece, i);
        c->drives[i] = find_played(problem, piece, event);
    }
    return 0;
}

/* ---- the run */

/* Central difference over 2k, times scale, in place: in[n] is at time n + 1, out[n] at time n. */
static void differentiate(double *samples, size_t steps, double rate, double scale)
{
    for (size_t n = steps; n-- > 0;)
        samples[n] = scale * 0.5 * rate * (samples[n] - (n >= 2 ? samples[n - 2] : 0.0));
}

/* Pressures as they were recorded; in[n] is at time n + 1, out[n] at time n. */
static void delay(double *samples, size_t steps)
{
    memmove(samples + 1, samples, (steps ? steps - 1 : 0) * sizeof *samples);
    samples[0] = 0.0;
}

static bool hears_pressure(const struct room *room, const struct pickup *pickup)
{
    return room->instruments[pickup->instrument].type == INSTRUMENT_WIND && pickup->place[0] == 0.0;
}

/* Splits the recorded taps into air, Pa, and pickups, m/s or Pa. */
static int split_taps(struct performance *p, const struct piece *piece, const double *recorded, double density,
                      struct error *e)
{
    const size_t receivers = piece->model ? room_tap_count(piece->room) : 0, pickups = piece->room->pickup_count;
    p->air =
        (struct traces){calloc(receivers * piece->steps + 1, sizeof(double)), receivers, piece->steps, piece->rate};
    p->pickups =
        (struct traces){calloc(pickups * piece->steps + 1, sizeof(double)), pickups, piece->steps, piece->rate};
    if (!p->air.samples || !p->pickups.samples)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(p->air.samples, recorded, receivers * piece->steps * sizeof *recorded);
    memcpy(p->pickups.samples, recorded + receivers * piece->steps, pickups * piece->steps * sizeof *recorded);
    for (size_t i = 0; i < receivers; i++)
        differentiate(p->air.samples + i * piece->steps, piece->steps, piece->rate, density);
    for (size_t i = 0; i < pickups; i++) {
        double *samples = p->pickups.samples + i * piece->steps;
        if (hears_pressure(piece->room, &piece->room->pickups[i]))
            delay(samples, piece->steps);
        else
            differentiate(samples, piece->steps, piece->rate, 1.0);
    }
    return 0;
}

/* A run with its recording, for checkpoints. */
struct recording {
    struct traces taps; /* of the problem */
    struct kept_run kept;
    struct drift_watch drift;
    struct solver *solver;
    struct error error; /* of the watch */
};

static void keep(void *recording, size_t done, const struct block_outcome *outcome, bool stopping)
{
    struct recording *r = recording;
    if (r->error.code == ERROR_NONE)
        (void)drift_watch_look(&r->drift, r->solver, &r->error);
    if (r->kept.checkpoint)
        kept_run_after_block(&r->kept, &r->taps, outcome, done, stopping);
}

/* Checksum of all drives, block by block. */
static int sum_signals(uint64_t *sum, const struct score_drives *drives, size_t count, size_t steps, struct error *e)
{
    enum { BLOCK = 4096 };
    double *block = malloc((count * BLOCK + 1) * sizeof *block);
    if (!block)
        return fail(e, ERROR_MEMORY, "out of memory");
    *sum = KEPT_RUN_SIGNALS;
    for (size_t first = 0; first < steps; first += BLOCK) {
        const size_t some = steps - first < BLOCK ? steps - first : BLOCK;
        fill_block(drives, block, some, first, some);
        *sum = kept_run_add_signals(*sum, block, count * some);
    }
    free(block);
    return 0;
}

/* Resumes from the checkpoint of this piece. *done: completed steps. */
static int resume(struct recording *r, size_t *done, struct block_outcome *outcome, struct checkpoint *checkpoint,
                  const struct score_drives *drives, struct solver *solver, struct error *e)
{
    const struct checkpoint_job job = {.count = 1};
    const struct problem *problem = &drives->problem->problem;
    const size_t steps = r->taps.frames;
    uint64_t signals = 0;
    if (sum_signals(&signals, drives, problem->drive_count, steps, e) ||
        kept_run_open(&r->kept, checkpoint, &job, problem, solver, signals, steps, e))
        return -1;
    *done = kept_run_copy(&r->kept, &r->taps, outcome, 0, steps);
    return 0;
}

int perform(struct performance *p, const struct piece *piece, const struct solver_options *choice,
            const struct watch *watch, struct error *e)
{
    const struct air_conditions air = air_conditions(piece->room);
    const double density = air_density(&air);
    struct performance_problem problem;
    struct score_drives score_drives = {0};
    struct solver *solver = NULL;
    struct recording r = {.taps = {.frames = piece->steps, .rate = piece->rate}};
    size_t done = 0;
    int status = -1;
    memset(p, 0, sizeof *p);
    if (performance_problem_make(&problem, piece, e))
        return -1;
    r.taps.channels = problem.problem.tap_count;
    r.taps.samples = calloc(r.taps.channels * piece->steps + 1, sizeof *r.taps.samples);
    if (!r.taps.samples) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto end;
    }
    if (score_drives_make(&score_drives, piece, &problem, density, e) ||
        solver_open(&solver, &problem.problem, choice, e))
        goto end;
    r.solver = solver;
    p->plan = *solver_plan_of(solver);
    if (watch && watch->checkpoint && resume(&r, &done, &p->outcome, watch->checkpoint, &score_drives, solver, e))
        goto end;
    if (drift_watch_make(&r.drift, piece->ensemble, solver, problem.problem.points[2], e))
        goto end;
    const struct block_row row = {.done = done,
                                  .steps = piece->steps,
                                  .rate = piece->rate,
                                  .drive_count = problem.problem.drive_count,
                                  .fill = fill_block,
                                  .context = &score_drives,
                                  .taps = r.taps.samples,
                                  .longest = r.drift.ensemble ? DRIFT_STEPS : 0,
                                  .keep = r.kept.checkpoint || r.drift.ensemble ? keep : NULL,
                                  .keeper = &r};
    status = blocks_run(&p->outcome, solver, &row, watch, e);
    if (!status && r.error.code != ERROR_NONE) {
        *e = r.error;
        status = -1;
    }
    if (!status && r.kept.checkpoint) /* the rest may be stopped too */
        kept_run_write(&r.kept, &r.taps, &p->outcome, piece->steps, true);
    status = status || split_taps(p, piece, r.taps.samples, density, e) ||
             drift_watch_warn(&p->warnings, &p->warning_count, &r.drift, piece->room, e);
end:
    kept_run_close(&r.kept);
    drift_watch_free(&r.drift);
    solver_close(solver);
    traces_free(&r.taps);
    free(score_drives.potential);
    free(score_drives.gestures);
    free(score_drives.drives);
    performance_problem_free(&problem);
    if (status)
        performance_free(p);
    return status ? -1 : 0;
}

void performance_free(struct performance *p)
{
    traces_free(&p->air);
    traces_free(&p->pickups);
    lines_free(p->warnings, p->warning_count);
}
