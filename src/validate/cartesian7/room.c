/* SPDX-License-Identifier: MIT */
/* Benchmarks of complete renders, from room file to sound file: their time relative to the
 * duration of the sound. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "io/audio_file.h"
#include "io/json_build.h"
#include "render/render.h"
#include "solver/engine.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/bench/bench.h"
#include "validate/cartesian7/checks.h"
#include "validate/cartesian7/room_cost.h"

enum { RUNS_MAX = 5, SETTINGS_MAX = 2, CORES = 2 };

enum machine { ANY, CPU, GPU };

/* A render: a shipped room, with settings as in --set. */
static const struct plan {
    const char *name, *file;
    const char *settings[SETTINGS_MAX];
    enum machine machine; /* CPU: on CORES threads unless the user sets the number */
} plans[] = {
    {"rooms/studio.cfg", "rooms/studio.cfg", {NULL}, ANY},
    {"rooms/webb.cfg", "rooms/webb.cfg", {NULL}, ANY},
    {"studio to 1.8 kHz, 7-point", "rooms/studio.cfg", {"grid.scheme=\"7-point\"", "grid.rate=24000"}, CPU},
    {"studio to 4 kHz", "rooms/studio.cfg", {"grid.max_frequency=4000"}, CPU},
    {"classroom, 0.04 s", "rooms/classroom.cfg", {"time.duration=0.04"}, CPU},
    {"living room, 0.05 s", "rooms/living_room.cfg", {"time.duration=0.05"}, CPU},
    {"recording studio, 0.05 s", "rooms/recording_studio.cfg", {"time.duration=0.05"}, CPU},
    {"corridor, 0.2 s", "rooms/corridor.cfg", {"time.duration=0.2"}, CPU},
    {"church, 0.2 s", "rooms/church.cfg", {"time.duration=0.2"}, CPU},
    {"concert hall, 0.2 s", "rooms/concert_hall.cfg", {"time.duration=0.2"}, CPU},
    {"60 m3, 1 s, to 8 kHz", "rooms/studio.cfg", {"grid.max_frequency=8000", "time.duration=1"}, GPU},
    {"60 m3, 1 s, to 16 kHz", "rooms/studio.cfg", {"grid.max_frequency=16000", "time.duration=1"}, GPU},
};
enum { PLANS = sizeof plans / sizeof *plans, NARROW = 2, WIDE = 3 /* renders compared in the last line */ };

/* Renders longer than this run only once, s. */
static const double worth_repeating = 20.0;

/* Times of one render in s; a row shows medians over its runs. */
struct render_times {
    double prepare; /* room file, voxels, walls, planning of the excitation */
    double steps;   /* stepping only */
    double rest;    /* opening and tuning the solver, filters, writing */
    double whole;
};

struct row {
    const char *name;
    size_t points[3], steps, sources, runs;
    double rate, valid, duration; /* Hz, Hz; s of sound per source */
    char engine[16], kernel[32];
    uint64_t air_points, wall_points;
    double predicted; /* s: steps at the cost of plain boxes (room_cost.h); 0: not predicted */
    struct render_times times;
};

static bool go_on(void *context, size_t done, size_t steps, double speed)
{
    (void)context;
    (void)done;
    (void)steps;
    (void)speed;
    return !stop_requested();
}

/* Renders and writes every source as aula render does. `sound` is the file, overwritten each time. */
static int render_all(struct row *row, struct render_times *times, struct room_costs *costs, const struct plan *plan,
                      const char *path, const char *sound, const struct solver_options *c, struct error *e)
{
    const struct watch watch = {.look = go_on, .context = NULL};
    const double start = clock_seconds();
    struct room *room = NULL;
    struct model *m = NULL;
    *times = (struct render_times){0};
    size_t settings = 0;
    while (settings < SETTINGS_MAX && plan->settings[settings])
        settings++;
    int status = room_read(&room, path, plan->settings, settings, e) || model_make(&m, room, e);
    times->prepare = clock_seconds() - start;
    for (size_t i = 0; !status && i < room->source_count; i++) {
        struct rendering r;
        if (render_sources(&r, m, i, 1, c, &watch, e)) {
            status = -1;
            break;
        }
        const struct audio audio = {.samples = r.response.samples,
                                    .channels = r.response.channels,
                                    .frames = r.response.frames,
                                    .rate = r.response.rate};
        const struct audio_description d = {room->output.format, NULL, NULL, NULL};
        status = audio_write(sound, &audio, &d, NULL, e);
        times->steps += r.simulation.outcome.seconds - r.simulation.outcome.audit_seconds;
        row->steps = r.simulation.steps;
        row->air_points = r.simulation.plan.air_points;
        row->wall_points = r.simulation.plan.wall_points;
        snprintf(row->engine, sizeof row->engine, "%s", r.simulation.plan.engine);
        snprintf(row->kernel, sizeof row->kernel, "%s", r.simulation.plan.kernel);
        rendering_free(&r);
    }
    if (!status) {
        for (int axis = 0; axis < 3; axis++)
            row->points[axis] = m->grid.points[axis];
        row->sources = room->source_count;
        row->rate = m->grid.rate;
        row->valid = m->grid.valid_frequency;
        row->duration = room->duration;
    }
    times->whole = clock_seconds() - start;
    times->rest = times->whole - times->prepare - times->steps;
    if (!status && !strcmp(row->engine, "cpu") && row->runs == 0) {
        status = room_costs_predict(&row->predicted, costs, m, row->air_points, row->wall_points, c, e);
        row->predicted *= (double)(row->steps * row->sources);
    }
    model_free(m);
    room_free(room);
    return status ? -1 : 0;
}

static int measure(struct row *row, struct room_costs *costs, const struct plan *plan, const char *sound,
                   const struct solver_options *c, struct error *e)
{
    double parts[4][RUNS_MAX];
    char *path = data_path(plan->file, e);
    int status = path ? 0 : -1;
    for (row->runs = 0; row->runs < RUNS_MAX && !status; row->runs++) {
        struct render_times times;
        if (row->runs && parts[3][0] > worth_repeating)
            break;
        status = render_all(row, &times, costs, plan, path, sound, c, e);
        parts[0][row->runs] = times.prepare;
        parts[1][row->runs] = times.steps;
        parts[2][row->runs] = times.rest;
        parts[3][row->runs] = times.whole;
    }
    free(path);
    if (status)
        return -1;
    row->times = (struct render_times){bench_median(parts[0], row->runs), bench_median(parts[1], row->runs),
                                       bench_median(parts[2], row->runs), bench_median(parts[3], row->runs)};
    return 0;
}

static double real_time_factor(const struct row *row)
{
    return row->duration * (double)row->sources / row->times.whole;
}

/* Measured over predicted; 0: not predicted. */
static double over_predicted(const struct row *row)
{
    return row->predicted > 0.0 ? row->times.steps / row->predicted : 0.0;
}

static void print_row(const struct row *row)
{
    char boxes[16] = "-";
    if (row->predicted > 0.0)
        snprintf(boxes, sizeof boxes, "%.2f", over_predicted(row));
    printf("%-26s %4zu x %3zu x %3zu %7.0f %7.0f %6.3g s  %-4s %-12s %8.3f %8.3f %8.3f %8.3f %8s %10.3f %5zu\n",
           row->name, row->points[0], row->points[1], row->points[2], row->rate, row->valid,
           row->duration * (double)row->sources, row->engine, row->kernel, row->times.prepare, row->times.steps,
           row->times.rest, row->times.whole, boxes, real_time_factor(row), row->runs);
    fflush(stdout);
}

static cJSON *row_json(const struct row *row)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "room", row->name);
    cJSON_AddStringToObject(json, "engine", row->engine);
    cJSON_AddStringToObject(json, "kernel", row->kernel);
    cJSON_AddNumberToObject(json, "rate", row->rate);
    cJSON_AddNumberToObject(json, "valid_to", row->valid);
    cJSON_AddNumberToObject(json, "steps", (double)row->steps);
    cJSON_AddNumberToObject(json, "sound_seconds", row->duration * (double)row->sources);
    cJSON_AddNumberToObject(json, "prepare_seconds", row->times.prepare);
    cJSON_AddNumberToObject(json, "step_seconds", row->times.steps);
    if (row->predicted > 0.0) {
        cJSON_AddNumberToObject(json, "predicted_step_seconds", row->predicted);
        cJSON_AddNumberToObject(json, "steps_over_predicted", over_predicted(row));
    }
    cJSON_AddNumberToObject(json, "rest_seconds", row->times.rest);
    cJSON_AddNumberToObject(json, "seconds", row->times.whole);
    cJSON_AddNumberToObject(json, "real_time_factor", real_time_factor(row));
    cJSON_AddNumberToObject(json, "runs", (double)row->runs);
    return json;
}

/* Name of a sound file unique to this process, in the temporary folder. */
static char *make_sound_name(struct error *e)
{
    const char *folder = getenv("TMPDIR");
    char *name = text_format("%s/aula-bench-%ld.wav", folder && *folder ? folder : "/tmp", (long)getpid());
    if (!name)
        fail(e, ERROR_MEMORY, "out of memory");
    return name;
}

/* Reason why a render is skipped on this engine; NULL: it runs. */
static const char *skip_reason(const struct plan *plan, const struct engine *engine)
{
    const bool cpu = !strcmp(engine->name, "cpu");
    if (plan->machine == GPU && cpu)
        return "would take hours on a CPU; use a GPU";
    return plan->machine == CPU && !cpu ? "compares runs on two CPU cores; use --engine cpu" : NULL;
}

static void tell_skipped(cJSON *rows, const struct plan *plan, const char *reason)
{
    if (!rows) {
        printf("%-26s skipped: %s\n", plan->name, reason);
        return;
    }
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "room", plan->name);
    cJSON_AddStringToObject(json, "skipped", reason);
    cJSON_AddItemToArray(rows, json);
}

/* Runs every plan; rows NULL: prints the results. */
static int run_plans(cJSON *rows, const char *sound, const struct engine *engine, const struct solver_options *choice,
                     struct error *e)
{
    double whole[PLANS] = {0};
    struct room_costs costs = {.count = 0};
    for (size_t i = 0; i < PLANS; i++) {
        const struct plan *plan = &plans[i];
        const char *reason = skip_reason(plan, engine);
        struct row row = {.name = plan->name};
        struct solver_options c = *choice;
        if (reason) {
            tell_skipped(rows, plan, reason);
            continue;
        }
        if (plan->machine == CPU && !c.threads)
            c.threads = CORES;
        if (measure(&row, &costs, plan, sound, &c, e))
            return -1;
        whole[i] = row.times.whole;
        if (rows)
            cJSON_AddItemToArray(rows, row_json(&row));
        else
            print_row(&row);
    }
    if (!rows && whole[WIDE] > 0.0)
        printf("\n%s takes %.2f times as long as %s\n", plans[WIDE].name, whole[WIDE] / whole[NARROW],
               plans[NARROW].name);
    return 0;
}

static int run(const struct bench_settings *o, struct error *e)
{
    const struct engine *engine = solver_engine(&o->choice, e);
    if (!engine)
        return -1;
    cJSON *rows = o->json ? cJSON_CreateArray() : NULL;
    char *sound = make_sound_name(e);
    struct solver_options choice = o->choice;
    choice.kernel = webb_kernel(o->choice.kernel, o->webb_variant);
    int status = sound ? 0 : -1;
    if (!o->json)
        printf("Complete renders, from the room file to the sound file; seconds, medians of the runs; faster than real "
               "time above 1;\nboxes: time of the steps relative to a prediction from points and walls of Webb's grid "
               "(cpu)\n\n%-26s %-16s %7s %7s %8s  %-4s %-12s %8s %8s %8s %8s %8s %10s %5s\n",
               "room", "points", "rate", "right to", "sound", "on", "kernel", "prepare", "steps", "rest", "whole",
               "boxes", "real time", "runs");
    status = status || run_plans(rows, sound, engine, &choice, e) ? -1 : 0;
    if (sound)
        unlink(sound);
    free(sound);
    if (!status && o->json)
        return json_print(rows, e);
    cJSON_Delete(rows);
    return status;
}

const struct benchmark benchmark_room = {
    .name = "room", .meaning = "complete renders, from the room file to the sound file", .run = run};
