/* Whole renders, from room file to sound file: their time relative to the duration of the sound. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "bench/bench.h"
#include "io/audio_file.h"
#include "io/json_print.h"
#include "render/render.h"
#include "schemes/leapfrog/commands.h"
#include "schemes/leapfrog/webb.h"

static const char *const room_files[] = {"rooms/studio.cfg", "rooms/webb.cfg"};
enum { ROOMS = sizeof room_files / sizeof *room_files, RUNS_MAX = 5 };

/* Renders longer than this run only once, s. */
static const double worth_repeating = 20.0;

/* Times of one render, s; a row's figures are medians over its runs. */
struct render_times {
    double prepare; /* room file, voxels, walls, excitation's plan */
    double steps;   /* stepping alone */
    double rest;    /* opening and tuning the solver, filters, writing */
    double whole;
};

struct row {
    const char *name;
    size_t points[3], steps, sources, runs;
    double rate, duration; /* Hz; s of sound of each source */
    char engine[16], kernel[32];
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
static int render_all(struct row *row, struct render_times *times, const char *path, const char *sound,
                      const struct choice *c, struct error *e)
{
    const struct watch watch = {go_on, NULL};
    const double start = clock_seconds();
    struct room *room = NULL;
    struct model *m = NULL;
    *times = (struct render_times){0};
    int status = room_read(&room, path, NULL, 0, e) || model_make(&m, room, e);
    times->prepare = clock_seconds() - start;
    for (size_t i = 0; !status && i < room->source_count; i++) {
        struct rendering r;
        if (render_sources(&r, m, i, 1, c, &watch, e)) {
            status = -1;
            break;
        }
        const struct audio audio = {r.response.samples, r.response.channels, r.response.frames, r.response.rate};
        const struct audio_description d = {room->output.format, NULL, NULL, NULL};
        status = audio_write(sound, &audio, &d, NULL, e);
        times->steps += r.simulation.outcome.seconds;
        row->steps = r.simulation.steps;
        snprintf(row->engine, sizeof row->engine, "%s", r.simulation.requirement.engine);
        snprintf(row->kernel, sizeof row->kernel, "%s", r.simulation.requirement.kernel);
        rendering_free(&r);
    }
    if (!status) {
        for (int axis = 0; axis < 3; axis++)
            row->points[axis] = m->grid.points[axis];
        row->sources = room->source_count;
        row->rate = m->grid.rate;
        row->duration = room->duration;
    }
    times->whole = clock_seconds() - start;
    times->rest = times->whole - times->prepare - times->steps;
    model_free(m);
    room_free(room);
    return status ? -1 : 0;
}

static int measure(struct row *row, const char *sound, const struct choice *c, struct error *e)
{
    double parts[4][RUNS_MAX];
    char *path = data_path(row->name, e);
    int status = path ? 0 : -1;
    for (row->runs = 0; row->runs < RUNS_MAX && !status; row->runs++) {
        struct render_times times;
        if (row->runs && parts[3][0] > worth_repeating)
            break;
        status = render_all(row, &times, path, sound, c, e);
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

static void print_row(const struct row *row)
{
    printf("%-18s %4zu x %3zu x %3zu %7.0f %6.3g s  %-4s %-12s %8.3f %8.3f %8.3f %8.3f %10.3f %5zu\n", row->name,
           row->points[0], row->points[1], row->points[2], row->rate, row->duration * (double)row->sources, row->engine,
           row->kernel, row->times.prepare, row->times.steps, row->times.rest, row->times.whole, real_time_factor(row),
           row->runs);
    fflush(stdout);
}

static cJSON *row_json(const struct row *row)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "room", row->name);
    cJSON_AddStringToObject(json, "engine", row->engine);
    cJSON_AddStringToObject(json, "kernel", row->kernel);
    cJSON_AddNumberToObject(json, "rate", row->rate);
    cJSON_AddNumberToObject(json, "steps", (double)row->steps);
    cJSON_AddNumberToObject(json, "sound_seconds", row->duration * (double)row->sources);
    cJSON_AddNumberToObject(json, "prepare_seconds", row->times.prepare);
    cJSON_AddNumberToObject(json, "step_seconds", row->times.steps);
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

static int run(const struct bench_settings *o, struct error *e)
{
    cJSON *rows = o->json ? cJSON_CreateArray() : NULL;
    char *sound = make_sound_name(e);
    struct choice choice = o->choice;
    choice.kernel = webb_kernel(o->choice.kernel, o->webb_variant);
    int status = sound ? 0 : -1;
    if (!o->json)
        printf("Whole renders, from the room file to the sound file; s, medians of the runs; real time is above 1\n\n"
               "%-18s %-16s %7s %8s  %-4s %-12s %8s %8s %8s %8s %10s %5s\n",
               "room", "points", "rate", "sound", "on", "kernel", "prepare", "steps", "rest", "whole", "real time",
               "runs");
    for (size_t i = 0; i < ROOMS && !status; i++) {
        struct row row = {.name = room_files[i]};
        status = measure(&row, sound, &choice, e);
        if (!status && o->json)
            cJSON_AddItemToArray(rows, row_json(&row));
        else if (!status)
            print_row(&row);
    }
    if (sound)
        unlink(sound);
    free(sound);
    if (!status && o->json)
        return json_print(rows, e);
    cJSON_Delete(rows);
    return status;
}

const struct benchmark benchmark_room = {
    .name = "room", .meaning = "whole renders, from the room file to the sound file", .run = run};
