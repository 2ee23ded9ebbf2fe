/* SPDX-License-Identifier: MIT */
/* The room as JSON, by the same table of keys that read it. */
#include <stdlib.h>
#include <string.h>

#include "room/key_types.h"

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
