/* SPDX-License-Identifier: MIT */
/* aula tune: measures which kernel renders a room fastest and stores the result for later runs. */
#include <stdio.h>
#include <string.h>

#include "app/cmd.h"
#include "app/progress.h"
#include "app/say.h"
#include "app/shipped.h"
#include "io/json_build.h"
#include "render/render.h"
#include "room/grid/model.h"

struct tune_options {
    struct common_options common;
    struct solver_options choice;
};

struct tuned_source {
    struct solver_plan plan;
    bool remembered; /* the result of an earlier source applies to this one */
};

/* Opening a solver measures its kernels. A source whose result is known from an earlier one is not measured again. */
static int tune_source(struct tuned_source *tuned, const struct model *m, size_t source, const struct tune_options *o,
                       struct error *e)
{
    struct leapfrog_problem leapfrog;
    struct problem problem;
    struct solver *solver = NULL;
    struct solver_options choice = o->choice;
    if (render_check(m, source, 1, &choice, e) || model_problem(&problem, &leapfrog, m, source, 1, e))
        return -1;
    int status = solver_make_plan(&tuned->plan, &problem, &choice, e);
    tuned->remembered = source > 0 && tuned->plan.step_seconds > 0.0;
    if (!status && !tuned->remembered) {
        choice.cuda.tune_anew = true;
        status = solver_open(&solver, &problem, &choice, e);
        if (!status)
            tuned->plan = *solver_plan_of(solver);
        solver_close(solver);
    }
    model_problem_free(&problem);
    return status ? -1 : 0;
}

static double air_points_per_second(const struct solver_plan *r)
{
    return r->step_seconds > 0.0 ? (double)r->air_points / r->step_seconds : 0.0;
}

static void print(const char *source, const struct solver_plan *r)
{
    if (!(r->step_seconds > 0.0)) {
        printf("%s: %s, kernel %s: the only choice\n", source, r->engine, r->kernel);
        return;
    }
    printf("%s: %s, kernel %s", source, r->engine, r->kernel);
    if (r->time_block > 1)
        printf(", %d steps per pass%s", r->time_block, r->cuda.in_place ? ", in place" : "");
    printf(": %.4g ms per step, %.4g million air points per second\n", 1e3 * r->step_seconds,
           1e-6 * air_points_per_second(r));
}

static cJSON *json_of(const char *source, const struct solver_plan *r)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "source", source);
    cJSON_AddStringToObject(json, "engine", r->engine);
    cJSON_AddStringToObject(json, "kernel", r->kernel);
    if (r->time_block > 1)
        cJSON_AddNumberToObject(json, "time_block", r->time_block);
    if (r->step_seconds > 0.0) {
        cJSON_AddNumberToObject(json, "step_seconds", r->step_seconds);
        cJSON_AddNumberToObject(json, "air_points_per_second", air_points_per_second(r));
    }
    return json;
}

static int tune(const struct tune_options *o, const struct room *room, cJSON *list, struct error *e)
{
    const struct grid_use use = {.purpose = PURPOSE_RESPONSES, .first = 0, .count = room->source_count};
    struct model *model = NULL;
    int status = render_is_possible(room, e) || model_make_for(&model, room, &use, e);
    for (size_t i = 0; i < room->source_count && !status; i++) {
        struct tuned_source tuned;
        memset(&tuned, 0, sizeof tuned);
        status = tune_source(&tuned, model, i, o, e);
        if (!status && o->common.json)
            cJSON_AddItemToArray(list, json_of(room->sources[i].name, &tuned.plan));
        else if (!status)
            print(room->sources[i].name, &tuned.plan);
    }
    model_free(model);
    return status ? -1 : 0;
}

static int run(void *options, struct error *e)
{
    const struct tune_options *o = options;
    struct room *room = NULL;
    cJSON *json = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(json, "sources");
    setup_watch_start(o->common.arguments[0], o->common.quiet);
    int status = read_named_room(&room, &o->common, NULL, e);
    if (!status) {
        setup_start_engine(&o->choice);
        say_engines_passed_over(&o->choice, &o->common);
        status = tune(o, room, list, e);
    }
    setup_watch_stop();
    say_phases(&o->common);
    if (!status && o->common.json)
        status = json_print(json, e);
    else
        cJSON_Delete(json);
    room_free(room);
    return status ? -1 : 0;
}

static const struct option_row *const options[] = {
    &option_set,   &option_engine,  &option_threads, &option_device, &option_json,
    &option_quiet, &option_verbose, &option_help,    NULL,
};

const struct command command_tune = {
    .name = "tune",
    .synopsis = "ROOM.cfg [--set KEY=VALUE ...]",
    .meaning = "measure which kernel is fastest for a room and remember the result",
    .details =
        "A render spends at most a second, and at most a tenth of its own time, on this measurement; aula tune takes\n"
        "the time it needs. Results are stored in $XDG_CACHE_HOME/aula/cuda-tuning and measured again if they turn\n"
        "out to be wrong.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .options_size = sizeof(struct tune_options),
    .groups = {[GROUP_CHOICE] = offsetof(struct tune_options, choice)},
    .run = run,
};
