/* SPDX-License-Identifier: MIT */
/* The table of keys as JSON. */
#include "app/keys.h"

#include <math.h>
#include <stdio.h>

#include "io/json_build.h"
#include "room/keys.h"

static void add_range(cJSON *json, const struct key *key)
{
    if (key->low == 0 && key->high == 0)
        return;
    cJSON_AddNumberToObject(json, key->flags & KEY_ABOVE ? "above" : "least", key->low);
    if (!isinf(key->high))
        cJSON_AddNumberToObject(json, "most", key->high);
}

/* Adds the kinds of list items that use the key: "only_for": { "signal": ["sweep"] }. */
static void add_kinds(cJSON *json, const struct key *key)
{
    const struct key *list = key_list_of(key->group);
    if (!list || !key->uses)
        return;
    cJSON *kinds = cJSON_AddArrayToObject(cJSON_AddObjectToObject(json, "only_for"), list->kind_key);
    for (unsigned kind = 0; kind < list->kind_count; kind++)
        if (key_applies(key, kind))
            cJSON_AddItemToArray(kinds, cJSON_CreateString(list->kind_names[kind]));
}

static cJSON *key_json(const struct key *key)
{
    cJSON *json = cJSON_CreateObject();
    char path[80], fallback[32];
    snprintf(path, sizeof path, "%s.%s", key->group, key->name);
    cJSON_AddStringToObject(json, "key", path);
    cJSON_AddStringToObject(json, "type", key_type_text(key));
    if (key->unit && *key->unit)
        cJSON_AddStringToObject(json, "unit", key->unit);
    cJSON_AddBoolToObject(json, "required", (key->flags & KEY_REQUIRED) != 0);
    if (key_default_text(key, fallback, sizeof fallback))
        cJSON_AddStringToObject(json, "default", fallback);
    if (key->choices)
        cJSON_AddItemToObject(json, "choices", cJSON_CreateStringArray(key->choices, (int)key->choice_count));
    else
        add_range(json, key);
    cJSON_AddStringToObject(json, "meaning", key->meaning);
    add_kinds(json, key);
    return json;
}

int keys_print_json(struct error *e)
{
    cJSON *json = cJSON_CreateObject(), *array = cJSON_AddArrayToObject(json, "keys");
    for (size_t i = 0; i < key_count; i++)
        if (!keys[i].inner)
            cJSON_AddItemToArray(array, key_json(&keys[i]));
    return json_print(json, e);
}
