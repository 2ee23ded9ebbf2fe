#include "batch/trial.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/json_build.h"
#include "sofa/library.h"

enum { ROOMS_TRIED = 16 };

/* The base rooms with all defaults. Their paths are absolute, so that the folder of the program's start does not
 * matter. */
static int add_bases(cJSON *json, const struct room_task *task, struct error *e)
{
    cJSON *bases = cJSON_AddArrayToObject(json, "bases");
    for (size_t i = 0; i < task->plan->base_count; i++) {
        struct room *room;
        char whole[PATH_MAX];
        const char *path = realpath(task->plan->bases[i], whole) ? whole : task->plan->bases[i];
        if (room_read(&room, path, task->settings, task->setting_count, e))
            return -1;
        cJSON *described = room_json(room);
        room_free(room);
        if (!described)
            return fail(e, ERROR_MEMORY, "%s: out of memory", path);
        cJSON_AddItemToArray(bases, described);
    }
    return 0;
}

/* The first room that can be read; fails with the mistake of the first where none of some can. */
static int read_first(struct room **room, const struct room_task *task, struct error *e)
{
    struct error later;
    for (size_t k = 0; k < task->plan->count && k < ROOMS_TRIED; k++) {
        struct drawn d;
        struct error *why = k ? &later : e;
        const int status = drawn_make(&d, task->plan, k, task->settings, task->setting_count, why) ||
                           drawn_read(room, &d, task->settings, task->setting_count, why);
        drawn_free(&d);
        if (!status)
            return render_is_possible(*room, e);
        if (why->code == ERROR_STOPPED || why->code == ERROR_USAGE) {
            *e = *why;
            return -1;
        }
    }
    return -1;
}

/* GPUs, counted from 0, that could take it. */
static int count_devices(const struct problem *p, const struct choice *choice)
{
    struct choice one = *choice;
    struct requirement r;
    struct error ignored;
    for (one.device = 0; one.device < DEVICES_MAX; one.device++)
        if (solver_require(&r, p, &one, &ignored) || !r.on_device)
            break;
    return one.device;
}

struct costs {
    double bytes; /* of the host's memory */
    int devices;  /* GPUs that could take it */
    double share; /* of a GPU's memory that is available */
};

/* What stepping it takes. An engine or kernel that cannot be had is a mistake of every room, and ends here. */
static int find_costs(struct costs *costs, const struct room_task *task, const struct model *model,
                      const struct length *length, struct error *e)
{
    struct leapfrog_problem leapfrog;
    struct problem problem;
    struct requirement r;
    struct error why;
    if (model_problem(&problem, &leapfrog, model, 0, 1, &why))
        return 0;
    const int status = solver_require(&r, &problem, &task->choice, &why);
    if (!status) {
        const struct memory_plan plan = memory_plan(model, &r, 1, length);
        costs->bytes =
            (double)plan.signals * (double)model->room->source_count + (r.on_device ? 0.0 : (double)plan.grid);
        if (r.on_device) {
            costs->devices = count_devices(&problem, &task->choice);
            costs->share = (double)(r.field_bytes + r.boundary_bytes + r.channel_bytes) / (double)r.available_bytes;
        }
    }
    model_problem_free(&problem);
    return status && why.code != ERROR_MEMORY ? fail(e, why.code, "%s", why.message) : 0;
}

/* What the room takes; nothing where it cannot be modelled: that is told with its record. */
static int add_costs(cJSON *json, const struct room_task *task, const struct room *room, struct error *e)
{
    struct model *model = NULL;
    struct error ignored;
    struct length length;
    struct costs costs = {0};
    int status = 0;
    if (!model_make(&model, room, &ignored) && !render_length(&length, model, 0, 1, &ignored))
        status = find_costs(&costs, task, model, &length, e);
    model_free(model);
    cJSON_AddNumberToObject(json, "bytes", costs.bytes);
    cJSON_AddNumberToObject(json, "available", (double)memory_available());
    cJSON_AddNumberToObject(json, "devices", costs.devices);
    cJSON_AddNumberToObject(json, "share", costs.share);
    return status;
}

static int check_library(const struct plan *plan, struct error *e)
{
    const char *missing = plan->files == PLAN_WAV ? NULL : sofa_library.unavailable();
    return missing ? fail(e, ERROR_INPUT,
                          "%s: output.files = \"%s\": %s: install libnetcdf-dev and build it again, or take \"wav\"",
                          plan->path, plan_file_names[plan->files], missing)
                   : 0;
}

int trial_run(char **text, const struct room_task *task, struct error *e)
{
    struct room *room = NULL;
    cJSON *json = cJSON_CreateObject();
    *text = NULL;
    if (check_library(task->plan, e) || add_bases(json, task, e) || read_first(&room, task, e) ||
        add_costs(json, task, room, e)) {
        room_free(room);
        cJSON_Delete(json);
        return -1;
    }
    room_free(room);
    *text = json_line(json);
    return *text ? 0 : fail(e, ERROR_MEMORY, "out of memory for a plan");
}
