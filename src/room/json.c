/* The room as JSON, by the same table of keys that read it. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "room/keys.h"

static bool write_group(cJSON *json, const struct room *room, const char *group, const void *base, unsigned kind);

/* The shortest decimal text that reads back as the same double; cJSON's own may lose the last bit. */
static cJSON *number(double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return cJSON_CreateRaw(text);
}

static cJSON *numbers(const double *values, size_t count)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; array && i < count; i++)
        if (!cJSON_AddItemToArray(array, number(values[i]))) {
            cJSON_Delete(array);
            return NULL;
        }
    return array;
}

static cJSON *branches(const struct branch *branch, size_t count)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; array && i < count; i++) {
        cJSON *one = numbers((double[]){branch[i].inertance, branch[i].resistance, branch[i].stiffness}, 3);
        if (!one || !cJSON_AddItemToArray(array, one)) {
            cJSON_Delete(one);
            cJSON_Delete(array);
            return NULL;
        }
    }
    return array;
}

static cJSON *absolute_path(const char *path)
{
    char *real = realpath(path, NULL), *here = NULL;
    if (!real && path[0] != '/' && (here = realpath(".", NULL)))
        real = path_join(here, path); /* not there any more; its name is still worth having */
    cJSON *text = cJSON_CreateString(real ? real : path);
    free(here);
    free(real);
    return text;
}

static cJSON *list(const struct room *room, const struct key *key, const char *base)
{
    const char *items;
    size_t count;
    memcpy(&items, base + key->offset, sizeof items);
    memcpy(&count, base + key->count, sizeof count);
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; array && i < count; i++) {
        const char *item = items + i * key->item_size;
        unsigned kind = 0;
        if (key->kind_key)
            memcpy(&kind, item + key->kind, sizeof kind);
        cJSON *object = cJSON_CreateObject();
        if (!object || !cJSON_AddItemToArray(array, object) || !write_group(object, room, key->inner, item, kind)) {
            cJSON_Delete(array);
            return NULL;
        }
    }
    return array;
}

static cJSON *definitions(const struct room *room, const struct key *key)
{
    cJSON *all = cJSON_CreateObject();
    for (size_t i = 0; all && i < room->material_count; i++) {
        const struct material *material = &room->materials[i];
        if (material->kind == MATERIAL_RIGID || material->kind == MATERIAL_FIXED)
            continue;
        cJSON *one = cJSON_AddObjectToObject(all, material->name);
        if (!one || !write_group(one, room, key->inner, material, 0)) {
            cJSON_Delete(all);
            return NULL;
        }
    }
    return all;
}

/* Whether the key that this one needs was given: points_per_wavelength says nothing without max_frequency. */
static bool lacks(const struct key *needed, const char *base)
{
    double value;
    const char *text;
    memcpy(&text, base + needed->offset, sizeof text);
    memcpy(&value, base + needed->offset, sizeof value);
    return needed->type == KEY_TEXT ? !text : value == 0;
}

static bool is_left_out(const struct room *room, const struct key *key, const char *base, unsigned kind)
{
    double values[2] = {0};
    const char *text;
    if (key->needs && key->type != KEY_OCTAVES && lacks(key_find(key->group, key->needs, kind), base))
        return true;
    switch (key->type) {
    case KEY_MATERIAL_NAME: /* every wall is written by its own name */
    case KEY_OCTAVES:       /* all are written */
    case KEY_PRESETS:       /* instruments are spelt out */
    case KEY_NOTE_NAME:     /* written as a pitch */
    case KEY_NOTE:
    case KEY_SPAN:
        return true;
    case KEY_LIST:
        return (!(key->flags & KEY_REQUIRED) || key->spared_by) &&
               !memcmp(base + key->count, &(size_t){0}, sizeof(size_t));
    case KEY_POSITION:
        return (key->flags & KEY_OMIT_ZERO) && room->sized_by_points;
    case KEY_POINTS:
        return !room->sized_by_points;
    case KEY_TEXT:
    case KEY_PATH:
        memcpy(&text, base + key->offset, sizeof text);
        return !text;
    case KEY_BANDS:
        return ((const struct material *)(const void *)base)->kind != MATERIAL_ABSORPTION;
    case KEY_BRANCHES:
        return !memcmp(base + key->count, &(size_t){0}, sizeof(size_t));
    case KEY_PLACE:
        return key->given && !*(const bool *)(base + key->given);
    case KEY_WHOLE:
        return (key->flags & KEY_OMIT_ZERO) && !memcmp(base + key->offset, &(size_t){0}, sizeof(size_t));
    case KEY_PAIR:
    case KEY_NUMBER:
        break;
    default:
        return false;
    }
    memcpy(values, base + key->offset, (key->type == KEY_PAIR ? 2 : 1) * sizeof *values);
    return values[0] == 0 && values[1] == 0 && (key->flags & KEY_OMIT_ZERO);
}

static cJSON *value_of(const struct room *room, const struct key *key, const char *base)
{
    const char *at = base + key->offset;
    double value, points[3];
    unsigned choice;
    size_t index;
    const char *text;
    cJSON *object;
    switch (key->type) {
    case KEY_GROUP:
        object = cJSON_CreateObject();
        if (object && !write_group(object, room, key->inner, base, 0)) {
            cJSON_Delete(object);
            return NULL;
        }
        return object;
    case KEY_LIST:
        return list(room, key, base);
    case KEY_DEFINITIONS:
        return definitions(room, key);
    case KEY_NUMBER:
        memcpy(&value, at, sizeof value);
        return value == 0 && key->zero ? cJSON_CreateString(key->zero) : number(value);
    case KEY_LOGICAL:
        return cJSON_CreateBool(*(const bool *)at);
    case KEY_CHOICE:
        memcpy(&choice, at, sizeof choice);
        return cJSON_CreateString(key->choices[choice]);
    case KEY_POSITION:
        return numbers((const double *)(const void *)at, 3);
    case KEY_PAIR:
        return numbers((const double *)(const void *)at, 2);
    case KEY_PLACE: /* the second of a line is 0 */
        memcpy(points, at, 2 * sizeof *points);
        return points[1] != 0 ? numbers(points, 2) : number(points[0]);
    case KEY_WHOLE:
        memcpy(&index, at, sizeof index);
        return number((double)index);
    case KEY_INSTRUMENT:
        memcpy(&index, at, sizeof index);
        return cJSON_CreateString(room->instruments[index].name);
    case KEY_BANDS:
        return numbers((const double *)(const void *)at, OCTAVE_BANDS);
    case KEY_BRANCHES:
        memcpy(&index, base + key->count, sizeof index);
        return branches((const struct branch *)(const void *)at, index);
    case KEY_POINTS:
        for (size_t i = 0; i < 3; i++)
            points[i] = (double)((const size_t *)(const void *)at)[i];
        return numbers(points, 3);
    case KEY_MATERIAL:
        memcpy(&index, at, sizeof index);
        return cJSON_CreateString(room->materials[index].name);
    case KEY_NAME:
    case KEY_TEXT:
    case KEY_PATH:
        memcpy(&text, at, sizeof text);
        return key->type == KEY_PATH ? absolute_path(text) : cJSON_CreateString(text);
    case KEY_MATERIAL_NAME:
    case KEY_OCTAVES:
    case KEY_PRESETS:
    case KEY_NOTE_NAME:
    case KEY_NOTE:
    case KEY_SPAN:
        break; /* is_left_out */
    }
    return NULL;
}

static bool write_group(cJSON *json, const struct room *room, const char *group, const void *base, unsigned kind)
{
    for (size_t i = 0; i < key_count; i++) {
        const struct key *key = &keys[i];
        if (strcmp(key->group, group) || !key_applies(key, kind) || is_left_out(room, key, base, kind))
            continue;
        cJSON *value = value_of(room, key, base);
        if (value && key->type == KEY_GROUP && (key->flags & KEY_OMIT_ZERO) && !value->child) {
            cJSON_Delete(value);
            continue;
        }
        if (!value || !cJSON_AddItemToObject(json, key->name, value)) {
            cJSON_Delete(value);
            return false;
        }
    }
    return true;
}

struct cJSON *room_json(const struct room *room)
{
    cJSON *json = cJSON_CreateObject();
    if (json && !write_group(json, room, "", room, 0)) {
        cJSON_Delete(json);
        return NULL;
    }
    return json;
}
