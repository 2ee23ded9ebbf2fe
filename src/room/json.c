/* SPDX-License-Identifier: MIT */
/* Writes a room as JSON and reads it back, by the same table of keys as the room file. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_syntax.h"
#include "base/stop.h"
#include "base/text.h"
#include "room/key_types.h"
#include "room/reader.h"

/* The shortest decimal text that reads back as the same double; cJSON's own may lose the last bit. */
cJSON *json_number_of(double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return cJSON_CreateRaw(text);
}

cJSON *json_numbers(const double *values, size_t count)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; array && i < count; i++)
        if (!cJSON_AddItemToArray(array, json_number_of(values[i]))) {
            cJSON_Delete(array);
            return NULL;
        }
    return array;
}

bool json_put(cJSON *json, const struct key *key, cJSON *value)
{
    if (value && cJSON_AddItemToObject(json, key->name, value))
        return true;
    cJSON_Delete(value);
    return false;
}

/* points_per_wavelength is left out without max_frequency, which precedes it. */
static bool lacks_needed_key(const cJSON *json, const struct key *key)
{
    return key->needs && !cJSON_GetObjectItemCaseSensitive(json, key->needs);
}

bool json_write_group(cJSON *json, const struct room *room, const char *group, const void *base, unsigned kind)
{
    for (size_t i = 0; i < key_count; i++) {
        const struct key *key = &keys[i];
        const struct key_type *type = key_types[key->type];
        const bool of_form = !key->forms || (key->forms >> room_form(room) & 1);
        if (strcmp(key->group, group) || !key_applies(key, kind) || !of_form || !type->write ||
            lacks_needed_key(json, key))
            continue;
        if (!type->write(json, room, key, base))
            return false;
    }
    return true;
}

struct cJSON *room_json(const struct room *room)
{
    cJSON *json = cJSON_CreateObject();
    if (json && !json_write_group(json, room, "", room, 0)) {
        cJSON_Delete(json);
        return NULL;
    }
    return json;
}

/* Converts JSON into the tree that libconfig makes of a room file, so that the same functions read
 * both. */

static int refuse(struct reader *r, const char *path, const config_setting_t *parent, const cJSON *item,
                  const char *why)
{
    char where[256] = "", name[QUOTED];
    setting_path(parent, NULL, NULL, where, sizeof where);
    return fail(r->error, ERROR_INPUT, "%s: %s%s%s: %s", path, where, *where && item->string ? "." : "",
                item->string ? quoted(name, item->string) : "", why);
}

static int convert(struct reader *r, const char *path, config_setting_t *parent, const cJSON *item);

static int convert_children(struct reader *r, const char *path, config_setting_t *target, const cJSON *item)
{
    size_t count = 0;
    for (const cJSON *child = item->child; child; child = child->next)
        if (cJSON_IsObject(item) && ++count > KEYS_MAX)
            return refuse(r, path, target, child, "a group { } may hold at most 4096 keys; remove unused ones");
        else if (convert(r, path, target, child))
            return -1;
    return stop_check(r->error);
}

static int convert(struct reader *r, const char *path, config_setting_t *parent, const cJSON *item)
{
    int type = cJSON_IsObject(item)   ? CONFIG_TYPE_GROUP
               : cJSON_IsArray(item)  ? CONFIG_TYPE_LIST
               : cJSON_IsNumber(item) ? CONFIG_TYPE_FLOAT
               : cJSON_IsString(item) ? CONFIG_TYPE_STRING
               : cJSON_IsBool(item)   ? CONFIG_TYPE_BOOL
                                      : CONFIG_TYPE_NONE;
    if (type == CONFIG_TYPE_NONE)
        return refuse(r, path, parent, item, "null is not a value; remove the key");
    config_setting_t *setting = config_setting_add(parent, config_setting_is_group(parent) ? item->string : NULL, type);
    if (!setting)
        return refuse(r, path, parent, item, "is a duplicate or not a valid key name; use letters, digits, _ and -");
    switch (type) {
    case CONFIG_TYPE_FLOAT:
        config_setting_set_float(setting, item->valuedouble);
        return 0;
    case CONFIG_TYPE_BOOL:
        config_setting_set_bool(setting, cJSON_IsTrue(item));
        return 0;
    case CONFIG_TYPE_STRING:
        return config_setting_set_string(setting, item->valuestring) ? 0 : reader_no_memory(r);
    default:
        return convert_children(r, path, setting, item);
    }
}

int load_json(struct reader *r, config_t *config, const char *path, const char *text)
{
    const char *end = text;
    int result = -1;
    cJSON *json = cJSON_ParseWithOpts(text, &end, 1);
    if (!json && json_is_sound(text_after_mark(text)))
        return reader_no_memory(r);
    if (!json) {
        int line = 1;
        for (const char *at = text; at < end && *at; at++)
            line += *at == '\n';
        return fail(r->error, ERROR_INPUT, "%s:%d: begins with { but is not valid JSON; begin a room file with a key",
                    path, line);
    }
    const cJSON *input = cJSON_GetObjectItemCaseSensitive(json, "input");
    if (!input && cJSON_GetObjectItemCaseSensitive(json, "room"))
        input = json;
    if (!cJSON_IsObject(input))
        fail(r->error, ERROR_INPUT, "%s: contains no room; use the JSON of a render, which has the member \"input\"",
             path);
    else
        result = convert_children(r, path, config_root_setting(config), input);
    r->room->from_sidecar = input != json;
    const cJSON *folder = cJSON_GetObjectItemCaseSensitive(json, "folder");
    if (!result && r->room->from_sidecar && cJSON_IsString(folder) && !r->former_folder) {
        r->former_folder = text_copy(folder->valuestring);
        result = r->former_folder ? 0 : reader_no_memory(r);
    }
    cJSON_Delete(json);
    return result;
}
