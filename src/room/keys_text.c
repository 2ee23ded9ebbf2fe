/* SPDX-License-Identifier: MIT */
/* Describes keys in words: the value that a key expects, for messages, and the table of aula info
 * --keys. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "room/key_types.h"
#include "room/keys.h"

const struct key_type *const key_types[] = {
#define X(tag, row) [KEY_##tag] = &type_##row,
    KEY_TYPES(X)
#undef X
};

void key_range_text(const struct key *key, char *text, size_t size)
{
    if (key->low == 0 && key->high == 0)
        snprintf(text, size, "%s", "");
    else if (isinf(key->high))
        snprintf(text, size, "at least %g", key->low);
    else if (key->flags & KEY_ABOVE)
        snprintf(text, size, "above %g, at most %g", key->low, key->high);
    else
        snprintf(text, size, "%s%g to %g", key->low > 0 && key->flags & KEY_ZERO ? "0, or " : "", key->low, key->high);
}

void key_expected(const struct key *key, char *text, size_t size)
{
    const struct key_type *type = key_types[key->type];
    const char *name = type->expect ? strchr(type->expect, '$') : NULL;
    if (type->describe)
        type->describe(key, text, size);
    else if (name)
        snprintf(text, size, "%.*s%s%s", (int)(name - type->expect), type->expect, key->name, name + 1);
    else
        snprintf(text, size, "%s", type->expect);
}

const char *key_type_text(const struct key *key)
{
    return key_types[key->type]->name;
}

bool key_default_text(const struct key *key, char *text, size_t size)
{
    const char *given = key->fallback ? key->fallback : key->instead;
    if (!given)
        *text = '\0';
    else if (key->type == KEY_NAME)
        snprintf(text, size, "%s1, %s2 ..", given, given);
    else
        snprintf(text, size, "%s", given);
    return given != NULL;
}

void room_print_keys(FILE *stream)
{
    fprintf(stream, "%-28s %-10s %-11s %-9s %-28s %s\n", "key", "type", "unit", "default", "range", "meaning");
    for (size_t i = 0; i < key_count; i++) {
        const struct key *key = &keys[i];
        if (key->inner)
            continue;
        char path[80], range[160], fallback[32];
        snprintf(path, sizeof path, "%s.%s", key->group, key->name);
        if (key->choices)
            key_expected(key, range, sizeof range);
        else
            key_range_text(key, range, sizeof range);
        if (!key_default_text(key, fallback, sizeof fallback))
            snprintf(fallback, sizeof fallback, "%s", key->flags & KEY_REQUIRED ? "required" : "-");
        fprintf(stream, "%-28s %-10s %-11s %-9s %-28s %s", path, key_type_text(key), key->unit ? key->unit : "",
                fallback, range, key->meaning);
        const struct key *list = key_list_of(key->group);
        for (unsigned kind = 0; list && key->uses && kind < list->kind_count; kind++)
            if (key_applies(key, kind))
                fprintf(stream, " (%s = \"%s\")", list->kind_key, list->kind_names[kind]);
        fputc('\n', stream);
    }
}

/* Look-up of rows in the table of keys, and checks of values against their ranges. */

bool key_applies(const struct key *key, unsigned kind)
{
    return !key->uses || (key->uses >> kind & 1);
}

const struct key *key_find(const char *group, const char *name, unsigned kind)
{
    for (size_t i = 0; i < key_count; i++)
        if (!strcmp(keys[i].group, group) && !strcmp(keys[i].name, name) && key_applies(&keys[i], kind))
            return &keys[i];
    return NULL;
}

const struct key *key_list_of(const char *group)
{
    for (size_t i = 0; i < key_count; i++)
        if (keys[i].type == KEY_LIST && !strcmp(keys[i].inner, group))
            return &keys[i];
    return NULL;
}

bool key_in_range(const struct key *key, double value)
{
    if (key->low == 0 && key->high == 0)
        return isfinite(value);
    if (value == 0 && (key->flags & KEY_ZERO))
        return true;
    return isfinite(value) && value >= key->low && value <= key->high &&
           !(value == key->low && (key->flags & KEY_ABOVE));
}
