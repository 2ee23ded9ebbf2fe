/* SPDX-License-Identifier: MIT */
#include "render/batch/trial.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/stop.h"
#include "io/json_build.h"
#include "io/sofa/library.h"

enum { ROOMS_TRIED = 64 };

/* Adds the checksum of a file, once. Skips unreadable files, which the record of their room
 * reports. */
static int add_input(cJSON *inputs, const char *path, struct error *e)
{
    char text[CHECKSUM_TEXT];
    struct error why = {ERROR_NONE, ""};
    const int file = cJSON_GetObjectItemCaseSensitive(inputs, path) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    const int status = sha256_of_file(text, file, path, &why);
    close(file);
    if (status)
        return why.code == ERROR_STOPPED ? stop_check(e) : 0;
    return cJSON_AddStringToObject(inputs, path, text) ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), shorter = strlen(end);
    return length >= shorter && !strcmp(text + length - shorter, end);
}

/* Files named by values of the plan, relative to the base room. */
static int add_varied_inputs(cJSON *inputs, const struct plan *plan, const char *base, struct error *e)
{
    char *folder = path_folder(base);
    int status = folder ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", base);
    for (size_t i = 0; i < plan->variation_count; i++) {
        const struct variation *v = &plan->variations[i];
        const bool names_files =
            ends_in(v->key, ".file") || ends_in(v->key, ".directivity") || ends_in(v->key, ".hrtf");
        for (size_t k = 0; names_files && k < v->value_count && !status; k++) {
            cJSON *value = cJSON_Parse(v->values[k]); /* "\"a.sofa\"" */
            char *path = cJSON_IsString(value) ? path_join(folder, value->valuestring) : NULL;
            struct stat there;
            if (path && !stat(path, &there) && S_ISREG(there.st_mode))
                status = add_input(inputs, path, e);
            free(path);
            cJSON_Delete(value);
        }
    }
    free(folder);
    return status;
}

/* Keeps the first note, for batch.h. */
static int add_note(cJSON *json, const struct room *room, struct error *e)
{
    if (!room->former_keys.file || cJSON_GetObjectItemCaseSensitive(json, "note"))
        return 0;
    char *note = former_keys_note(&room->former_keys);
    if (!note || !cJSON_AddStringToObject(json, "note", note))
        fail(e, ERROR_MEMORY, "%s: out of memory", room->path);
    free(note);
    return cJSON_GetObjectItemCaseSensitive(json, "note") ? 0 : -1;
}

/* The first room stands for all generated ones. */
static int read_base(struct room **room, const struct room_task *task, const char *path, struct error *e)
{
    const struct plan *plan = task->plan;
    char *text = plan->generated ? furnished_room_text(plan->seed, 0, &plan->wishes, e) : NULL;
    const int status =
        plan->generated && !text ? -1 : room_read_text(room, path, text, task->settings, task->setting_count, e);
    free(text);
    return status;
}

static int add_base(cJSON *json, cJSON *bases, cJSON *inputs, const struct room_task *task, const char *base,
                    struct error *e)
{
    struct room *room;
    char whole[PATH_MAX];
    const char *path = realpath(base, whole) ? whole : base, *input;
    if (read_base(&room, task, path, e))
        return -1;
    cJSON *described = room_json(room);
    int status = described ? add_note(json, room, e) : fail(e, ERROR_MEMORY, "%s: out of memory", path);
    for (size_t k = 0; (input = room_input(room, k)) && !status; k++)
        status = add_input(inputs, input, e);
    room_free(room);
    if (described)
        cJSON_AddItemToArray(bases, described);
    return status || add_varied_inputs(inputs, task->plan, path, e) ? -1 : 0;
}

/* The base rooms with all defaults, and checksums of the files they name. Paths are absolute,
 * independent of the working directory. */
static int add_bases(cJSON *json, const struct room_task *task, struct error *e)
{
    cJSON *bases = cJSON_AddArrayToObject(json, "bases"), *inputs = cJSON_AddObjectToObject(json, "inputs");
    for (size_t i = 0; i < task->plan->base_count; i++)
        if (add_base(json, bases, inputs, task, task->plan->bases[i], e))
            return -1;
    return 0;
}

/* The k-th room to try; they are spread over the plan, whose lists change at different periods. */
static size_t room_to_try(const struct plan *plan, size_t k)
{
    const double at = (double)k * 0.6180339887498949; /* the golden ratio avoids the period of any list */
    return plan->count <= ROOMS_TRIED ? k : (size_t)((at - floor(at)) * (double)plan->count);
}

/* If none of several is readable, fails with the error of the first. */
int trial_read_room(struct room **room, const struct room_task *task, struct error *e)
{
    struct error later;
    for (size_t k = 0; k < task->plan->count && k < ROOMS_TRIED; k++) {
        struct drawn d;
        struct error *why = k ? &later : e;
        const size_t index = room_to_try(task->plan, k);
        const int status = drawn_make(&d, task->plan, index, task->settings, task->setting_count, why) ||
                           drawn_read(room, &d, task->settings, task->setting_count, why);
        drawn_free(&d);
        if (!status)
            return render_is_possible(*room, e);
        if (why->code == ERROR_STOPPED || why->code == ERROR_USAGE || why->code == ERROR_MEMORY) {
            *e = *why;
            return -1;
        }
    }
    return -1;
}

/* Number of GPUs, from GPU 0, that can take it. */
static int count_devices(const struct problem *p, const struct solver_options *choice)
{
    struct solver_options one = *choice;
    struct solver_plan r;
    struct error ignored;
    for (one.device = 0; one.device < DEVICES_MAX; one.device++)
        if (solver_make_plan(&r, p, &one, &ignored) || !r.on_device)
            break;
    return one.device;
}

struct costs {
    double bytes; /* of the host's memory */
    int devices;  /* GPUs that could take it */
    double share; /* of the available memory of a GPU */
};

/* Cost of stepping. An unavailable engine or kernel concerns every room and ends the trial. */
static int find_costs(struct costs *costs, const struct room_task *task, const struct model *model,
                      const struct length *length, struct error *e)
{
    struct leapfrog_problem leapfrog;
    struct problem problem;
    struct solver_plan r;
    struct error why;
    if (model_problem(&problem, &leapfrog, model, 0, 1, &why))
        return 0;
    const int status = solver_make_plan(&r, &problem, &task->choice, &why);
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

/* Adds the costs of the room, or nothing if it cannot be modelled, which its record reports. */
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
    const bool needs_it = plan->files == PLAN_SOFA || plan->files == PLAN_NETCDF || plan->files == PLAN_HDF5;
    const char *missing = needs_it ? sofa_library.unavailable() : NULL;
    return missing ? fail(e, ERROR_INPUT,
                          "%s: output.files = \"%s\": %s; install libnetcdf-dev and rebuild aula, or use \"wav\"",
                          plan->path, plan_file_names[plan->files], missing)
                   : 0;
}

int trial_run(char **text, const struct room_task *task, struct error *e)
{
    struct room *room = NULL;
    cJSON *json = cJSON_CreateObject();
    *text = NULL;
    if (check_library(task->plan, e) || add_bases(json, task, e) || trial_read_room(&room, task, e) ||
        add_costs(json, task, room, e)) {
        room_free(room);
        cJSON_Delete(json);
        return -1;
    }
    room_free(room);
    *text = json_line(json);
    return *text ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}
