/* SPDX-License-Identifier: MIT */
/* Types of keys that contain other keys: a group, a list of groups, and named groups. */
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "room/key_types.h"

static int refuse_no_group(struct reader *r, const struct key *key, const config_setting_t *setting)
{
    return config_setting_is_group(setting) ? 0 : refuse_type(r, key, setting);
}

/* ---- { .. }: keys of `inner`, in the same struct ---- */

static int read_group(struct reader *r, const struct place *place, const struct key *key,
                      const config_setting_t *setting)
{
    const size_t before = r->diagnostics.count;
    if (refuse_no_group(r, key, setting) ||
        read_place(r, &(struct place){.group = key->inner, .setting = setting, .base = place->base, .around = setting}))
        return -1;
    if (r->diagnostics.count > before && key->flags & KEY_OPTIONAL)
        reader_mark_wrong(r, key);
    return 0;
}

static int default_group(struct reader *r, const struct place *place, const struct key *key)
{
    if (key->flags & KEY_OPTIONAL)
        return 0;
    return read_place(r, &(struct place){.group = key->inner, .base = place->base, .around = place->around});
}

static bool write_group(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    if (key->flags & KEY_OPTIONAL && !*(const bool *)(base + key->given))
        return true;
    cJSON *object = cJSON_CreateObject();
    const bool written = object && json_write_group(object, room, key->inner, base, 0);
    if (written && ((object->child != NULL) || !(key->flags & KEY_OMIT_ZERO)))
        return json_put(json, key, object);
    cJSON_Delete(object);
    return written;
}

const struct key_type type_group = {
    .name = "group",
    .expect = "a group: $: { .. };",
    .read = read_group,
    .take_default = default_group,
    .write = write_group,
};

/* ---- ( { .. }, .. ): keys of `inner`, an array of structs ---- */

static int read_item(struct reader *r, const struct key *list, const config_setting_t *item, size_t number, char *base)
{
    struct origin origin = reader_origin(r, item);
    const config_setting_t *preset = NULL;
    memcpy(base + list->origin, &origin, sizeof origin);
    if (!config_setting_is_group(item))
        return reader_refuse(r, item, NULL, "expected a group { .. }");
    const bool lacks_preset = list->preset && preset_find(r, item, list->preset, &preset);
    struct place place = {.group = list->inner,
                          .setting = item,
                          .base = base,
                          .list = list,
                          .number = number,
                          .preset = preset,
                          .around = item};
    if (!lacks_preset)
        return read_place(r, &place);
    read_item_name(r, &place); /* other items may refer to it */
    return -1;
}

static int read_items(struct reader *r, const struct key *list, const config_setting_t *setting, char *items,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t before = r->diagnostics.count;
        const config_setting_t *item = config_setting_get_elem(setting, (unsigned)i);
        char *at = items + i * list->item_size;
        if (stop_check(r->error) || (read_item(r, list, item, i, at) && !reader_goes_on(r)))
            return -1;
        if (r->diagnostics.count > before)
            reader_mark_wrong(r, at);
    }
    return 0;
}

static int read_empty_list(struct reader *r, const struct place *place, const struct key *key,
                           const config_setting_t *setting)
{
    char expected[256];
    key_expected(key, expected, sizeof expected);
    if (!(key->flags & KEY_REQUIRED) || is_spared(place, key))
        return 0;
    if (spare_is_empty(place, key))
        return reader_refuse(r, setting, NULL, "is empty, and so is %s; expected %s, or %s for aula synth",
                             key->spared_by, expected, key->spared_by);
    return reader_refuse(r, setting, NULL, "is empty; expected %s", expected);
}

static int read_list(struct reader *r, const struct place *place, const struct key *key,
                     const config_setting_t *setting)
{
    const size_t count = (size_t)config_setting_length(setting);
    if (!config_setting_is_list(setting) && !(config_setting_is_array(setting) && !count))
        return refuse_type(r, key, setting);
    if (!count)
        return read_empty_list(r, place, key, setting);
    char *items = calloc(count, key->item_size);
    if (!items)
        return reader_no_memory(r);
    memcpy(place->base + key->offset, &items, sizeof items);
    memcpy(place->base + key->count, &count, sizeof count);
    return read_items(r, key, setting, items, count);
}

static bool write_items(cJSON *array, const struct room *room, const struct key *key, const char *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *item = items + i * key->item_size;
        unsigned kind = 0;
        if (key->kind_key)
            memcpy(&kind, item + key->kind, sizeof kind);
        cJSON *object = cJSON_CreateObject();
        if (!object || !cJSON_AddItemToArray(array, object) || !json_write_group(object, room, key->inner, item, kind))
            return false;
    }
    return true;
}

static bool write_list(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    const char *items;
    size_t count;
    memcpy(&items, base + key->offset, sizeof items);
    memcpy(&count, base + key->count, sizeof count);
    if (!count && (!(key->flags & KEY_REQUIRED) || key->spared_by))
        return true;
    cJSON *array = cJSON_CreateArray();
    if (array && write_items(array, room, key, items, count))
        return json_put(json, key, array);
    cJSON_Delete(array);
    return false;
}

const struct key_type type_list = {
    .name = "list",
    .expect = "a list of groups: $: ( { .. }, { .. } );",
    .read = read_list,
    .write = write_list,
};

/* ---- { name = { .. }; .. }: materials, by name ---- */

static int read_definitions(struct reader *r, const struct place *place, const struct key *key,
                            const config_setting_t *setting)
{
    (void)place;
    return refuse_no_group(r, key, setting) || materials_check(r, setting) ? -1 : 0;
}

static bool write_definitions(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)base;
    cJSON *all = cJSON_CreateObject();
    bool written = all != NULL;
    for (size_t i = 0; i < room->material_count && written; i++) {
        const struct material *material = &room->materials[i];
        if (boundary_kind_of(material)->built_in)
            continue;
        cJSON *one = cJSON_AddObjectToObject(all, material->name);
        written = one && json_write_group(one, room, key->inner, material, 0);
    }
    if (written)
        return json_put(json, key, all);
    cJSON_Delete(all);
    return false;
}

const struct key_type type_definitions = {
    .name = "groups",
    .expect = "a group of groups: $: { curtain = { absorption = [ .. ]; }; };",
    .read = read_definitions,
    .write = write_definitions,
};

/* ---- { name = { .. }; .. }: keys of `inner` that items of a list take by naming it ---- */

/* Checks the names of keys in all presets; values are checked where a preset is used. */
static int read_presets(struct reader *r, const struct place *place, const struct key *key,
                        const config_setting_t *setting)
{
    (void)place;
    if (refuse_no_group(r, key, setting))
        return -1;
    for (unsigned i = 0; i < (unsigned)config_setting_length(setting); i++) {
        const config_setting_t *preset = config_setting_get_elem(setting, i);
        struct meant meant = {0};
        if (!config_setting_is_group(preset)) {
            reader_refuse(r, preset, NULL, "expected a group { .. } of keys of an instrument");
            if (!reader_goes_on(r))
                return -1;
        } else if (refuse_unknown_members(r, key->inner, preset, &meant)) {
            return -1;
        }
    }
    return 0;
}

const struct key_type type_presets = {
    .name = "groups",
    .expect = "a group of groups: $: { small_tom = { type = \"membrane\"; .. }; };",
    .read = read_presets,
};
