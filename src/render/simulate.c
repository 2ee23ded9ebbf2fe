/* SPDX-License-Identifier: MIT */
#include "render/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dsp/deconvolve.h"
#include "dsp/resample.h"
#include "render/directions.h"
#include "render/drives.h"
#include "render/kept_run.h"
#include "render/mapping.h"
#include "render/near_sound.h"

/* Bytes for turning the record of a source into its response. */
static uint64_t signal_bytes(const struct model *m, const struct source *s, size_t steps)
{
    if (m->grid.mapped)
        return mapping_bytes(&m->grid, steps, room_tap_count(m->room), !signal_gives_response(s->signal));
    if (!signal_is_deconvolved(s->signal))
        return 0;
    return response_runs(room_channel_count(m->room)) * deconvolver_bytes(steps, (size_t)(s->length * m->grid.rate));
}

struct memory_plan memory_plan(const struct model *m, const struct solver_plan *r, size_t sources,
                               const struct length *length)
{
    const size_t steps = length->steps;
    const double rate = model_output_rate(m);
    const double frames = ceil(length->seconds * rate);
    const double taps = (double)room_tap_count(m->room), all = (double)room_channel_count(m->room);
    const double channels = length->part ? fmin(all, (double)length->part) : all;
    double drives = 0.0; /* of the most demanding sources */
    for (size_t i = 0; i < m->room->source_count; i++)
        drives = fmax(drives, (double)source_drives(&m->room->sources[i]));
    drives *= (double)sources;
    const double corrected = near_sound_is_needed(m, 0, m->room->source_count) ? taps + drives : 0.0;
    const double runs = (double)response_runs((size_t)channels);
    /* traces and drives; the response; for each run a channel's record, filtered copies and resampler of a few */
    const double values = (taps + drives + corrected + runs * (2.0 + 1.5 * RESAMPLE_TOGETHER)) * (double)steps +
                          (channels + runs * 1.5 * RESAMPLE_TOGETHER) * frames;
    uint64_t largest = 0; /* largest over the sources: deconvolution of a sweep, or the map */
    for (size_t i = 0; i < m->room->source_count; i++) {
        const uint64_t bytes = signal_bytes(m, &m->room->sources[i], steps);
        largest = bytes > largest ? bytes : largest;
    }
    return (struct memory_plan){.grid = r->field_bytes + r->boundary_bytes + r->channel_bytes,
                                .signals = (uint64_t)(values * sizeof(double)) + largest +
                                           directions_bytes(m->room, steps, m->grid.rate, m->grid.sound_speed)};
}

/* Rounds down to two significant digits, for a message. */
static double two_digits(double value)
{
    double digit = pow(10.0, floor(log10(value)) - 1.0);
    return floor(value / digit) * digit;
}

/* Bytes for the walls of the box without its objects: mostly states of branches. */
static double wall_bytes(const struct model *m)
{
    const double value = (double)precision_bytes(m->room->grid.precision);
    double bytes = 0.0;
    for (int wall = 0; wall < FACES; wall++) {
        const size_t *n = m->grid.points;
        const double points = (double)n[(wall / 2 + 1) % 3] * (double)n[(wall / 2 + 2) % 3];
        bytes += points * (2.0 * value * (double)m->walls[m->room->walls[wall]].branch_count + 8.0);
    }
    return bytes;
}

/* Factor of the grid rate that fits: memory of the grid grows with its cube, of the walls with its
 * square. Leaves a margin for rounding, lists and signals. */
static double fitting_share(const struct model *m, const struct solver_plan *r)
{
    const double grids = (double)r->field_bytes;
    const double walls = r->boundary_bytes ? (double)r->boundary_bytes : wall_bytes(m);
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 50; i++) {
        const double share = 0.5 * (low + high);
        if (share * share * (share * grids + walls) <= 0.95 * (double)r->available_bytes)
            low = share;
        else
            high = share;
    }
    return low;
}

int check_memory(const struct model *m, const struct solver_plan *r, size_t sources, const struct length *length,
                 struct error *e)
{
    const struct room *room = m->room;
    const struct memory_plan plan = memory_plan(m, r, sources, length);
    const uint64_t host = memory_available();
    const uint64_t for_signals = r->on_device ? host : host > plan.grid ? host - plan.grid : 0;
    const char *halve =
        room->grid.precision == PRECISION_DOUBLE ? ", or set grid.precision = \"single\" for half the memory" : "";
    if (plan.grid > r->available_bytes) {
        const double asked = room->grid.max_frequency > 0.0 ? room->grid.max_frequency : m->grid.rate;
        char fits[64];
        if (room->sized_by_points)
            snprintf(fits, sizeof fits, "use fewer points");
        else
            snprintf(fits, sizeof fits, "use --set grid.%s=%.0f",
                     room->grid.max_frequency > 0.0 ? "max_frequency" : "rate",
                     two_digits(asked * fitting_share(m, r)));
        return fail(e, ERROR_MEMORY,
                    "%s: the grid of %zu x %zu x %zu points at %.6g Hz needs %s of %s, but %s is available; %s%s",
                    room->path, m->grid.points[0], m->grid.points[1], m->grid.points[2], m->grid.rate,
                    memory_text(plan.grid), r->on_device ? "GPU memory" : "memory", memory_text(r->available_bytes),
                    fits, halve);
    }
    if (plan.signals > for_signals)
        return fail(e, ERROR_MEMORY,
                    "%s: the signals of %g s and %zu receivers need %s of memory, but %s is available; use --set "
                    "time.duration=%g",
                    room->path, length->seconds, room->receiver_count, memory_text(plan.signals),
                    memory_text(for_signals),
                    two_digits(0.9 * length->seconds * (double)for_signals / (double)plan.signals));
    return 0;
}

/* Context of fill_drive. */
struct whole_drive {
    const double *samples; /* [count][steps] */
    size_t count, steps;
};

static void fill_drive(const void *context, double *drive, size_t stride, size_t first, size_t steps)
{
    const struct whole_drive *whole = context;
    for (size_t i = 0; i < whole->count; i++)
        memcpy(drive + i * stride, whole->samples + i * whole->steps + first, steps * sizeof *drive);
}

/* Open resources of a simulation. */
struct simulation_run {
    const struct model *model;
    struct leapfrog_problem leapfrog;
    struct problem problem;
    struct solver *solver;
    size_t first, sources;
    struct kept_run kept;
};

/* drive [drives][steps]: the excitations with aligned onsets, filtered by order for a pattern. The
 * high-pass of the response is applied here instead of to the recording. In a linear room this is
 * equivalent, but the field then has no offset or ramp, which in single precision would mask the
 * end of the response. */
static int make_drive(double **drive, const struct simulation_run *run, const struct excitation *excitations,
                      size_t onset, size_t steps, struct error *e)
{
    const struct model *m = run->model;
    const bool high_passed = m->room->output.filter != FILTER_NONE;
    double *to = *drive = calloc(run->problem.drive_count * steps + 1, sizeof *to);
    int status = to ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < run->sources && !status; i++) {
        status = drives_make(to, m, run->first + i, &excitations[i], onset, steps, high_passed, e);
        to += source_drives(&m->room->sources[run->first + i]) * steps;
    }
    return status;
}

void simulation_end(struct simulation *s)
{
    if (!s->run)
        return;
    kept_run_close(&s->run->kept);
    solver_close(s->run->solver);
    model_problem_free(&s->run->problem);
    free(s->run);
    s->run = NULL;
}

int simulation_begin(struct simulation *s, const struct model *m, size_t first, size_t count,
                     const struct length *length, const struct solver_options *choice, struct error *e)
{
    memset(s, 0, sizeof *s);
    struct simulation_run *run = s->run = calloc(1, sizeof *run);
    if (!run)
        return fail(e, ERROR_MEMORY, "out of memory");
    run->model = m;
    run->first = first;
    run->sources = count;
    struct solver_options planned = choice ? *choice : (struct solver_options){0};
    planned.steps = planned.steps ? planned.steps : length->steps;
    if (model_problem(&run->problem, &run->leapfrog, m, first, count, e) ||
        solver_make_plan(&s->plan, &run->problem, choice, e) || check_memory(m, &s->plan, count, length, e) ||
        solver_open(&run->solver, &run->problem, &planned, e))
        return -1;
    /* the engine may have changed, or the kernel by the tuner */
    s->plan = *solver_plan_of(run->solver);
    s->traces = (struct traces){.channels = room_tap_count(m->room), .rate = m->grid.rate};
    return 0;
}

/* Extends the traces and keeps the recorded samples. */
static int grow_traces(struct traces *t, size_t steps, struct error *e)
{
    double *samples = calloc(t->channels * steps + 1, sizeof *samples);
    if (!samples)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < t->channels && t->frames; c++)
        memcpy(samples + c * steps, t->samples + c * t->frames, t->frames * sizeof *samples);
    free(t->samples);
    t->samples = samples;
    t->frames = steps;
    return 0;
}

/* Called after each block of a checkpointed run. */
static void keep(void *simulation, size_t done, const struct block_outcome *outcome, bool stopping)
{
    struct simulation *s = simulation;
    kept_run_after_block(&s->run->kept, &s->traces, outcome, done, stopping);
}

/* Steps `done` .. `steps` - 1. */
static int run_steps(struct simulation *s, const double *drive, size_t done, size_t steps, const struct watch *watch,
                     struct error *e)
{
    const struct simulation_run *run = s->run;
    const struct whole_drive whole = {drive, run->problem.drive_count, steps};
    const struct block_row row = {.done = done,
                                  .steps = steps,
                                  .rate = run->model->grid.rate,
                                  .drive_count = run->problem.drive_count,
                                  .fill = fill_drive,
                                  .context = &whole,
                                  .taps = s->traces.samples,
                                  .keep = run->kept.checkpoint ? keep : NULL,
                                  .keeper = s};
    return blocks_run(&s->outcome, run->solver, &row, watch, e);
}

int simulation_step(struct simulation *s, const struct excitation *excitations, size_t onset, size_t steps,
                    const struct watch *watch, struct error *e)
{
    struct simulation_run *run = s->run;
    struct kept_run *k = &run->kept;
    struct checkpoint *checkpoint = watch ? watch->checkpoint : NULL;
    const struct checkpoint_job job = {run->first, run->sources, NULL};
    double *drive = NULL;
    int status = grow_traces(&s->traces, steps, e) || make_drive(&drive, run, excitations, onset, steps, e);
    if (!status && checkpoint && !k->checkpoint)
        status =
            kept_run_open(k, checkpoint, &job, &run->problem, run->solver,
                          kept_run_add_signals(KEPT_RUN_SIGNALS, drive, run->problem.drive_count * steps), steps, e);
    if (!status) {
        const size_t done = k->checkpoint ? kept_run_copy(k, &s->traces, &s->outcome, s->steps, steps) : s->steps;
        status = run_steps(s, drive, done, steps, watch, e);
    }
    if (!status)
        s->steps = steps;
    free(drive);
    return status ? -1 : 0;
}

void simulation_keep(struct simulation *s, bool complete)
{
    if (s->run && s->run->kept.checkpoint)
        kept_run_write(&s->run->kept, &s->traces, &s->outcome, s->steps, complete);
}

int simulate(struct simulation *s, const struct model *m, size_t first, size_t count,
             const struct excitation *excitations, size_t onset, const struct length *length,
             const struct solver_options *choice, const struct watch *watch, struct error *e)
{
    const int status = simulation_begin(s, m, first, count, length, choice, e) ||
                       simulation_step(s, excitations, onset, length->steps, watch, e);
    simulation_end(s);
    if (status)
        traces_free(&s->traces);
    return status ? -1 : 0;
}
