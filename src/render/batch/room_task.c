/* SPDX-License-Identifier: MIT */
#include "render/batch/room_task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/threads.h"
#include "dsp/measure/metrics.h"
#include "dsp/measure/metrics_table.h"
#include "io/json_build.h"
#include "render/batch/reciprocity.h"
#include "render/batch/record_octaves.h"
#include "render/batch/room_files.h"
#include "render/metrics_settings.h"
#include "render/render.h"
#include "render/write.h"

/* Acoustic parameters of a room's responses. */

/* Six digits, the useful precision. */
static cJSON *short_number(double value)
{
    char text[32];
    if (!isfinite(value))
        return cJSON_CreateNull();
    snprintf(text, sizeof text, "%.6g", value);
    return cJSON_CreateRaw(text);
}

static cJSON *figures_json(const struct metrics *measured, const char *source, const char *receiver)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "source", source);
    cJSON_AddStringToObject(json, "receiver", receiver);
    cJSON_AddItemToObject(json, "arrival", short_number(measured->arrival));
    cJSON_AddItemToObject(json, "peak", short_number(measured->peak));
    cJSON_AddItemToObject(json, "sti", short_number(measured->sti));
    cJSON *valid = cJSON_AddArrayToObject(json, "valid");
    for (size_t b = 0; b < METRICS_OCTAVES; b++)
        cJSON_AddItemToArray(valid, cJSON_CreateString(validity_names[measured->band[b].validity]));
    for (size_t i = 0; i < band_metric_count; i++) {
        const struct metric *metric = &band_metrics[i];
        if (!metric_in_data_sets(metric))
            continue;
        cJSON *values = cJSON_AddArrayToObject(json, metric->name);
        for (size_t b = 0; b < METRICS_OCTAVES; b++)
            cJSON_AddItemToArray(values, short_number(metric_of_band(metric, &measured->band[b])));
    }
    return json;
}

static int room_metrics_add(cJSON *list, const struct model *m, const struct rendering *renderings, struct error *e)
{
    const struct room *room = m->room;
    for (size_t s = 0; s < room->source_count; s++)
        for (size_t i = 0; i < room->receiver_count; i++) {
            const struct response *response = &renderings[s].response;
            struct metrics_settings settings = rendering_metrics_settings(&renderings[s], response, m);
            const double *samples = response->samples + room_first_channel(room, i) * response->frames;
            struct metrics measured;
            settings.noiseless = settings.noiseless && room->output.format != FORMAT_PCM16;
            if (room->receivers[i].kind == RECEIVER_VELOCITY)
                continue;
            if (metrics_measure(&measured, samples, response->frames, response->rate, &settings, e))
                return -1;
            cJSON_AddItemToArray(list, figures_json(&measured, room->sources[s].name, room->receivers[i].name));
        }
    return 0;
}

/* A room in progress. */
struct work {
    const struct room_task *task;
    size_t index;
    struct drawn drawn;
    struct room *room;
    struct model *model;
    struct rendering *renderings; /* [room->source_count] */
    size_t runs;
    cJSON *files, *metrics;
    double stepping; /* s */
};

static void free_work(struct work *w)
{
    for (size_t i = 0; w->renderings && i < w->room->source_count; i++)
        rendering_free(&w->renderings[i]);
    free(w->renderings);
    model_free(w->model);
    room_free(w->room);
    drawn_free(&w->drawn);
    cJSON_Delete(w->files);
    cJSON_Delete(w->metrics);
}

static int render(struct work *w, struct error *e)
{
    const struct room_task *task = w->task;
    const size_t count = w->room->source_count;
    w->renderings = calloc(count + 1, sizeof *w->renderings);
    if (!w->renderings)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (!reciprocity_fault(w->model)) {
        w->runs = w->room->receiver_count;
        return reciprocity_render(w->renderings, w->model, &task->choice, &task->watch, e);
    }
    w->runs = count;
    for (size_t i = 0; i < count; i++)
        if (render_check(w->model, i, 1, &task->choice, e) ||
            render_sources(&w->renderings[i], w->model, i, 1, &task->choice, &task->watch, e))
            return -1;
    return 0;
}

static int work(struct work *w, struct error *e)
{
    const struct room_task *t = w->task;
    if (drawn_make(&w->drawn, t->plan, w->index, t->settings, t->setting_count, e) ||
        drawn_read(&w->room, &w->drawn, t->settings, t->setting_count, e) || render_is_possible(w->room, e) ||
        model_make(&w->model, w->room, e) || room_files_check(t, w->room, w->model, e) || render(w, e))
        return -1;
    w->files = cJSON_CreateArray();
    w->metrics = cJSON_CreateArray();
    return room_metrics_add(w->metrics, w->model, w->renderings, e) ||
                   room_files_write(w->files, t, w->index, w->model, w->renderings, e)
               ? -1
               : 0;
}

/* ---- Record ---- */

static cJSON *places_json(const char *name, const double position[3])
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "name", name);
    cJSON_AddItemToObject(json, "position", cJSON_CreateDoubleArray(position, 3));
    return json;
}

/* Values of the varied keys. */
static void add_parameters(cJSON *json, const struct plan *plan, const struct drawn *drawn)
{
    char name[BASE_NAME];
    const char *base = plan_base_name(name, plan, drawn->base, drawn->room);
    cJSON_AddStringToObject(json, "base", base);
    cJSON_AddStringToObject(json, "split", plan_split(plan, base));
    if (plan->generated)
        cJSON_AddStringToObject(json, "use", room_use_names[furnished_use(plan->seed, drawn->room, &plan->wishes)]);
    cJSON *parameters = cJSON_AddObjectToObject(json, "parameters");
    for (size_t i = 0; i < plan->variation_count; i++) {
        const char *value = drawn->values ? drawn->values[i] : NULL;
        cJSON *parsed = value ? cJSON_Parse(value) : NULL;
        if (value)
            cJSON_AddItemToObject(parameters, plan->variations[i].key, parsed ? parsed : cJSON_CreateString(value));
    }
}

cJSON *room_record_begin(const struct plan *plan, const struct drawn *drawn, size_t room)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "room", (double)room);
    add_parameters(json, plan, drawn);
    return json;
}

static void add_about(cJSON *json, const struct room *room)
{
    const char *const texts[ABOUT_TEXTS] = {[ABOUT_LICENCE] = room->about.licence,
                                            [ABOUT_AUTHOR] = room->about.author,
                                            [ABOUT_ORGANISATION] = room->about.organisation,
                                            [ABOUT_CITATION] = room->about.citation};
    for (size_t i = 0; i < ABOUT_TEXTS; i++)
        if (texts[i])
            cJSON_AddStringToObject(json, about_names[i], texts[i]);
}

static void add_room(cJSON *json, const struct work *w)
{
    const struct room *room = w->room;
    cJSON *sources = cJSON_AddArrayToObject(json, "sources"), *receivers = cJSON_AddArrayToObject(json, "receivers");
    for (size_t i = 0; i < room->source_count; i++)
        cJSON_AddItemToArray(sources, places_json(room->sources[i].name, room->sources[i].position));
    for (size_t i = 0; i < room->receiver_count; i++) {
        cJSON *receiver = places_json(room->receivers[i].name, room->receivers[i].position);
        cJSON_AddStringToObject(receiver, "type", receiver_type_names[room->receivers[i].kind]);
        cJSON_AddItemToArray(receivers, receiver);
    }
    cJSON_AddItemToObject(json, "size", cJSON_CreateDoubleArray(room->size, 3));
    cJSON_AddNumberToObject(json, "volume", w->model->space.volume);
    cJSON_AddNumberToObject(json, "surface", w->model->space.surface);
}

static void add_response(cJSON *json, const struct work *w)
{
    const struct model *m = w->model;
    const struct rendering *r = &w->renderings[0];
    cJSON *band = cJSON_AddObjectToObject(json, "valid_band");
    cJSON_AddNumberToObject(band, "low", m->room->output.filter != FILTER_NONE ? RESPONSE_HIGH_PASS : 0.0);
    cJSON_AddNumberToObject(band, "high", hybrid_valid_to(m, &r->halves));
    cJSON_AddNumberToObject(band, "waves", m->grid.valid_frequency);
    cJSON_AddNumberToObject(json, "rate", r->response.rate);
    cJSON_AddNumberToObject(json, "seconds", (double)r->response.frames / r->response.rate);
    cJSON_AddNumberToObject(json, "grid_rate", m->grid.rate);
    cJSON_AddNumberToObject(json, "air_points", (double)r->simulation.plan.air_points);
    cJSON_AddNumberToObject(json, "steps", (double)r->simulation.steps);
    cJSON_AddNumberToObject(json, "runs", (double)w->runs);
    cJSON *warnings = cJSON_AddArrayToObject(json, "warnings");
    for (size_t i = 0; i < m->warning_count; i++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(m->warnings[i]));
    for (size_t s = 0; s < m->room->source_count; s++)
        for (size_t i = 0; i < w->renderings[s].warning_count; i++)
            cJSON_AddItemToArray(warnings, cJSON_CreateString(w->renderings[s].warnings[i]));
}

static cJSON *begin_record(size_t room, const char *status)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "room", (double)room);
    cJSON_AddStringToObject(json, "status", status);
    return json;
}

static char *done_line(struct work *w)
{
    cJSON *json = begin_record(w->index, "done");
    const char *first = cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(w->files, 0), "file"));
    if (first) /* the name that datasets' AudioFolder asks for */
        cJSON_AddStringToObject(json, "file_name", first);
    add_parameters(json, w->task->plan, &w->drawn);
    add_about(json, w->room);
    add_room(json, w);
    add_response(json, w);
    cJSON_AddItemToObject(json, "files", w->files);
    cJSON_AddItemToObject(json, "metrics", w->metrics);
    w->files = w->metrics = NULL;
    return json_line(json);
}

static char *failed_line(const struct work *w, const char *message)
{
    cJSON *json = begin_record(w->index, "failed");
    add_parameters(json, w->task->plan, &w->drawn);
    cJSON_AddStringToObject(json, "message", message);
    return json_line(json);
}

char *room_failed_line(const struct room_task *task, size_t room, const char *message)
{
    struct work w = {.task = task, .index = room};
    struct error ignored;
    (void)!drawn_make(&w.drawn, task->plan, room, task->settings, task->setting_count, &ignored); /* as far as known */
    char *line = failed_line(&w, message);
    free_work(&w);
    return line;
}

/* Errors that would end every other room too. */
static bool is_fatal(const struct error *e)
{
    return e->code == ERROR_STOPPED || e->code == ERROR_OUTPUT || e->code == ERROR_DEVICE;
}

int room_task_run(char **line, struct room_account *account, const struct room_task *task, size_t room, struct error *e)
{
    const double start = clock_seconds();
    const int threads = threads_limit(task->choice.threads);
    struct work w = {.task = task, .index = room};
    const int status = work(&w, e);
    *line = !status ? done_line(&w) : is_fatal(e) ? NULL : failed_line(&w, e->message);
    *account = (struct room_account){0};
    for (size_t i = 0; !status && i < w.room->source_count; i++)
        if (i < w.runs)
            account->stepping += w.renderings[i].simulation.outcome.seconds;
    free_work(&w);
    threads_limit(threads);
    account->total = clock_seconds() - start;
    if (status && is_fatal(e))
        return -1;
    return *line ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}
