/* SPDX-License-Identifier: MIT */
#include "render/batch/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "io/json_build.h"
#include "room/reader.h"

const char *const plan_file_names[PLAN_FILES] = {[PLAN_WAV] = "wav",
                                                 [PLAN_SOFA] = "sofa",
                                                 [PLAN_NETCDF] = "netcdf",
                                                 [PLAN_HDF5] = "hdf5",
                                                 [PLAN_WEBDATASET] = "webdataset",
                                                 [PLAN_PARQUET] = "parquet"};

static const char *const members[] = {"base",        "generate", "seed",  "rooms", "repeat",     "vary",
                                      "constraints", "output",   "split", "about", "description"};
static const char *const constraint_members[] = {"from_walls", "from_each_other", "tries"};
static const char *const output_members[] = {"files", "shard_bytes"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->base_count; i++) {
        free(plan->bases[i]);
        free(plan->base_names[i]);
    }
    for (size_t i = 0; i < plan->variation_count; i++)
        variation_free(&plan->variations[i]);
    free(plan->bases);
    free(plan->base_names);
    free(plan->variations);
    free(plan->path);
    free(plan->note);
    plan_free_card(plan);
    memset(plan, 0, sizeof *plan);
}

int plan_refuse_unknown(struct reader *r, const config_setting_t *group, const char *const *names, size_t count)
{
    for (unsigned i = 0; i < (unsigned)config_setting_length(group); i++) {
        const config_setting_t *member = config_setting_get_elem(group, i);
        char hint[HINT], known[256] = "";
        size_t used = 0;
        bool is_known = false;
        for (size_t k = 0; k < count; k++) {
            is_known = is_known || !strcmp(names[k], member->name);
            if (used < sizeof known)
                used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", names[k]);
        }
        if (is_known)
            continue;
        text_hint(hint, member->name, names, count);
        return *hint ? reader_refuse(r, member, NULL, "unknown key of a plan%s", hint)
                     : reader_refuse(r, member, NULL, "unknown key of a plan; known keys are %s", known);
    }
    return 0;
}

/* Reads an integer from `low` to `high`; if it is absent, *value stays. */
static int read_whole(struct reader *r, const config_setting_t *group, const char *name, double low, double high,
                      double *value)
{
    const config_setting_t *setting = member_of(group, name);
    double number;
    if (!setting)
        return 0;
    if (!number_of(setting, &number) || !(number >= low && number <= high) || number != (double)(uint64_t)number)
        return reader_refuse(r, setting, NULL, "must be a whole number from %.0f to %.0f", low, high);
    *value = number;
    return 0;
}

static int read_distance(struct reader *r, const config_setting_t *group, const char *name, double *value)
{
    const config_setting_t *setting = member_of(group, name);
    if (setting && (!number_of(setting, value) || !(*value >= 0.0 && *value <= 1000.0)))
        return reader_refuse(r, setting, NULL, "must be a distance from 0 to 1000 m");
    return 0;
}

/* A name without '/' and suffix may be that of a shipped room. */
static int find_shipped_base(char **base, struct reader *r, const config_setting_t *setting, const char *name)
{
    const int reason = errno;
    char shown[QUOTED];
    char *file = strpbrk(name, "/.") ? NULL : text_format("rooms/%s.cfg", name);
    char *shipped = file ? data_path(file, NULL) : NULL;
    free(file);
    if (!shipped)
        return reader_refuse(r, setting, NULL,
                             "\"%s\" cannot be read: %s; name a room file relative to the folder of the plan, or a "
                             "room that ships with aula (aula info --rooms)",
                             quoted(shown, name), strerror(reason));
    free(*base);
    *base = shipped;
    return 0;
}

static int add_base(struct plan *plan, struct reader *r, const config_setting_t *setting)
{
    const char *name = config_setting_get_string(setting);
    if (!name || !*name)
        return reader_refuse(r, setting, NULL,
                             "expected the name of a room file in quotes, or several as (\"a.cfg\", \"b.cfg\")");
    const size_t at = plan->base_count;
    plan->base_names[at] = text_copy(name);
    plan->bases[at] = path_join(r->folder, name);
    plan->base_count++;
    if (!plan->bases[at] || !plan->base_names[at])
        return reader_no_memory(r);
    plan->generated = plan->generated || !strcmp(name, "generate");
    return !strcmp(name, "generate")       ? 0
           : access(plan->bases[at], F_OK) ? find_shipped_base(&plan->bases[at], r, setting, name)
                                           : 0;
}

static int read_bases(struct plan *plan, struct reader *r, const config_setting_t *root)
{
    const config_setting_t *base = member_of(root, "base");
    if (!base)
        return reader_refuse(r, root, "base",
                             "is missing; name the room file that the plan varies, base = \"room.cfg\"");
    const bool several = is_sequence(base);
    const size_t count = several ? (size_t)config_setting_length(base) : 1;
    plan->bases = calloc(count + 1, sizeof *plan->bases);
    plan->base_names = calloc(count + 1, sizeof *plan->base_names);
    if (!plan->bases || !plan->base_names)
        return reader_no_memory(r);
    if (!count)
        return reader_refuse(r, base, NULL, "is empty; name a room file");
    for (unsigned i = 0; i < count; i++)
        if (add_base(plan, r, several ? config_setting_get_elem(base, i) : base))
            return -1;
    return 0;
}

static int read_variations(struct plan *plan, struct reader *r, const config_setting_t *root)
{
    const config_setting_t *vary = member_of(root, "vary");
    const size_t count = vary ? (size_t)config_setting_length(vary) : 0;
    if (vary && !config_setting_is_list(vary))
        return reader_refuse(r, vary, NULL,
                             "expected a list, ( { key = \"air.temperature\"; values = (15.0, 20.0); } )");
    plan->variations = calloc(count + 1, sizeof *plan->variations);
    if (!plan->variations)
        return reader_no_memory(r);
    for (unsigned i = 0; i < count; i++) {
        const config_setting_t *item = config_setting_get_elem(vary, i);
        struct variation *v = &plan->variations[plan->variation_count++];
        if (variation_read(v, r, item))
            return -1;
        for (size_t k = 0; k + 1 < plan->variation_count; k++)
            if (!strcmp(plan->variations[k].key, v->key))
                return reader_refuse(r, item, "key", "%s already varies at %s", v->key, plan->variations[k].origin);
    }
    return 0;
}

static int read_constraints(struct plan *plan, struct reader *r, const config_setting_t *root)
{
    const config_setting_t *group = member_of(root, "constraints");
    double tries = 1000.0;
    if (group && !config_setting_is_group(group))
        return reader_refuse(r, group, NULL, "expected a group, { from_walls = 0.5; }");
    if (group && (plan_refuse_unknown(r, group, constraint_members, COUNT(constraint_members)) ||
                  read_distance(r, group, "from_walls", &plan->from_walls) ||
                  read_distance(r, group, "from_each_other", &plan->from_each_other) ||
                  read_whole(r, group, "tries", 1.0, 1e6, &tries)))
        return -1;
    plan->tries = (size_t)tries;
    return 0;
}

static int read_output(struct plan *plan, struct reader *r, const config_setting_t *root)
{
    const config_setting_t *group = member_of(root, "output");
    if (group && !config_setting_is_group(group))
        return reader_refuse(r, group, NULL, "expected a group, { files = \"wav\"; }");
    if (group && plan_refuse_unknown(r, group, output_members, COUNT(output_members)))
        return -1;
    double shard_bytes = 1e9;
    if (read_whole(r, group, "shard_bytes", 1000.0, 1e12, &shard_bytes))
        return -1;
    plan->shard_bytes = shard_bytes;
    const config_setting_t *files = member_of(group, "files");
    const char *name = files ? config_setting_get_string(files) : plan_file_names[PLAN_WAV];
    char hint[HINT];
    for (size_t i = 0; name && i < PLAN_FILES; i++)
        if (!strcmp(name, plan_file_names[i])) {
            plan->files = (enum plan_files)i;
            return 0;
        }
    return reader_refuse(r, files, NULL,
                         "give \"wav\", \"sofa\", \"netcdf\", \"hdf5\", \"webdataset\" or \"parquet\"%s",
                         name ? text_hint(hint, name, plan_file_names, PLAN_FILES) : "");
}

/* Number of rooms: as requested, or of all combinations. */
static int count_rooms(struct plan *plan, struct reader *r, const config_setting_t *root)
{
    double seed = 0.0, rooms = 0.0, repeat = 1.0;
    if (read_whole(r, root, "seed", 0.0, 9007199254740992.0, &seed) ||
        read_whole(r, root, "rooms", 1.0, PLAN_ROOMS_MAX, &rooms) ||
        read_whole(r, root, "repeat", 1.0, PLAN_ROOMS_MAX, &repeat))
        return -1;
    plan->seed = (uint64_t)seed;
    plan->drawn = rooms > 0.0;
    plan->repeat = (size_t)repeat;
    if (plan->drawn && member_of(root, "repeat"))
        return reader_refuse(r, member_of(root, "repeat"), NULL,
                             "repeats all combinations, but `rooms` draws rooms at random; remove one of the two");
    double count = repeat * (double)plan->base_count;
    for (size_t i = 0; i < plan->variation_count; i++)
        count *= plan->variations[i].kind == VARY_VALUES ? (double)plan->variations[i].value_count : 1.0;
    if (!plan->drawn && count > PLAN_ROOMS_MAX)
        return reader_refuse(r, root, "vary",
                             "%.4g combinations are more than the %d rooms that a plan may have; set rooms = 1000 to "
                             "draw as many at random",
                             count, PLAN_ROOMS_MAX);
    plan->count = (size_t)(plan->drawn ? rooms : count);
    return 0;
}

static int read_root(struct plan *plan, struct reader *r)
{
    const config_setting_t *root = config_root_setting(&r->config);
    if (member_of(root, "room") || member_of(root, "sources"))
        return fail(r->error, ERROR_INPUT,
                    "%s: is a room file, not a plan; render it with aula render, or name it in a plan as base = \"%s\"",
                    r->room->path, path_name(r->room->path));
    return plan_refuse_unknown(r, root, members, COUNT(members)) || read_bases(plan, r, root) ||
                   plan_read_generate(plan, r, root) || read_variations(plan, r, root) ||
                   read_constraints(plan, r, root) || read_output(plan, r, root) || plan_read_card(plan, r, root) ||
                   count_rooms(plan, r, root)
               ? -1
               : 0;
}

int plan_read(struct plan *plan, const char *path, struct error *e)
{
    struct error ignored;
    struct reader r;
    memset(plan, 0, sizeof *plan);
    plan->path = text_copy(path);
    int status = plan->path ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", path);
    if (status)
        return -1;
    status = reader_open(&r, path, e ? e : &ignored) || load_file(&r, &r.config, path, r.folder) || read_root(plan, &r);
    if (!status && r.room->former_keys.file) {
        plan->note = former_keys_note(&r.room->former_keys);
        status = plan->note ? 0 : reader_no_memory(&r);
    }
    reader_close(&r);
    return status ? -1 : 0;
}

static bool gives(const char *setting, const char *key)
{
    for (; *key; key++, setting++) {
        setting += strspn(setting, " \t");
        if (setting[0] == '.' && setting[1] == '[')
            setting++;
        if (key[0] == '.' && key[1] == '[')
            key++;
        if (*setting != *key)
            return false;
    }
    setting += strspn(setting, " \t");
    return *setting && strchr("=.[", *setting);
}

bool plan_setting_gives(const char *setting, const char *key)
{
    size_t length;
    setting += strspn(setting, " \t");
    const char *present = former_key(setting, &length);
    if (!present)
        return gives(setting, key);
    const size_t named = strlen(present);
    return !strncmp(key, present, named) && gives(setting + length, key + named);
}

int plan_check_settings(const struct plan *plan, const char *const *settings, size_t count, struct error *e)
{
    char shown[QUOTED];
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < plan->variation_count; k++)
            if (plan_setting_gives(settings[i], plan->variations[k].key))
                return fail(e, ERROR_USAGE,
                            "--set %s: the plan varies %s (%s) and would override it; remove one of the two",
                            quoted(shown, settings[i]), plan->variations[k].key, plan->variations[k].origin);
    return 0;
}

static cJSON *variation_json(const struct variation *v)
{
    static const char *const names[VARY_KINDS] = {"values", "choice", "uniform", "log_uniform",
                                                  "normal", "whole",  "place"};
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "key", v->key);
    cJSON_AddStringToObject(json, "draw", names[v->kind]);
    if (v->value_count)
        cJSON_AddItemToObject(json, "values",
                              cJSON_CreateStringArray((const char *const *)v->values, (int)v->value_count));
    if (v->weights)
        cJSON_AddItemToObject(json, "weights", cJSON_CreateDoubleArray(v->weights, (int)v->value_count));
    if (v->width) {
        cJSON_AddItemToObject(json, "low", cJSON_CreateDoubleArray(v->low, (int)v->width));
        cJSON_AddItemToObject(json, "high", cJSON_CreateDoubleArray(v->high, (int)v->width));
    }
    if (v->kind == VARY_NORMAL) {
        cJSON_AddNumberToObject(json, "mean", v->mean);
        cJSON_AddNumberToObject(json, "deviation", v->deviation);
    }
    return json;
}

cJSON *plan_json(const struct plan *plan)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "seed", (double)plan->seed);
    cJSON_AddNumberToObject(json, "rooms", (double)plan->count);
    cJSON_AddBoolToObject(json, "drawn", plan->drawn);
    cJSON_AddNumberToObject(json, "repeat", (double)plan->repeat);
    cJSON_AddItemToObject(json, "base",
                          cJSON_CreateStringArray((const char *const *)plan->base_names, (int)plan->base_count));
    plan_add_generate(json, plan);
    cJSON *vary = cJSON_AddArrayToObject(json, "vary");
    for (size_t i = 0; i < plan->variation_count; i++)
        cJSON_AddItemToArray(vary, variation_json(&plan->variations[i]));
    cJSON *constraints = cJSON_AddObjectToObject(json, "constraints");
    cJSON_AddNumberToObject(constraints, "from_walls", plan->from_walls);
    cJSON_AddNumberToObject(constraints, "from_each_other", plan->from_each_other);
    cJSON_AddNumberToObject(constraints, "tries", (double)plan->tries);
    cJSON_AddStringToObject(json, "files", plan_file_names[plan->files]);
    plan_add_card(json, plan);
    return json;
}
