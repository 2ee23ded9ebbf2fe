/* SPDX-License-Identifier: MIT */
/* Applies --set key.path=value to the tree before it is read. The hook of each new setting holds
 * the text of --set, its origin in messages. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "room/reader.h"

struct step {
    char name[65]; /* "": an index */
    unsigned index;
};

enum { STEPS_MAX = 8 };

static int refuse(struct reader *r, const char *text, const char *why)
{
    char given[QUOTED];
    if (r->setting_origin)
        return fail(r->error, ERROR_INPUT, "%s: %s: %s", r->setting_origin, quoted(given, text), why);
    return fail(r->error, ERROR_USAGE, "--set %s: %s", quoted(given, text), why);
}

/* Replaces the former name of a group by its current one. */
static bool take_former(struct step *group)
{
    size_t length;
    const char *name = former_key(group->name, &length);
    if (name)
        snprintf(group->name, sizeof group->name, "%s", name);
    return name != NULL;
}

/* "sources[0].position" or "sources.[0].position" */
static int split_path(struct reader *r, const char *text, const char *end, struct step *steps, size_t *count)
{
    const char *at = text;
    *count = 0;
    while (at < end) {
        if (*count == STEPS_MAX)
            return refuse(r, text, "the key has too many parts");
        struct step *step = &steps[(*count)++];
        *step = (struct step){0};
        if (*at == '[') {
            char *after;
            errno = 0;
            unsigned long index = strtoul(at + 1, &after, 10);
            if (!isdigit((unsigned char)at[1]) || *after != ']' || errno || index > INT_MAX)
                return refuse(r, text, "expected a number in [ ], such as sources[0]");
            step->index = (unsigned)index;
            at = after + 1;
        } else {
            size_t length = 0;
            while (at + length < end && (isalnum((unsigned char)at[length]) || strchr("_-*", at[length])))
                length++;
            if (!length || length >= sizeof step->name)
                return refuse(r, text, "expected a key such as grid.rate=48000");
            memcpy(step->name, at, length);
            at += length;
        }
        if (at < end && *at == '.' && at + 1 < end)
            at++;
        else if (at < end && *at != '[')
            return refuse(r, text, "expected a key such as grid.rate=48000");
    }
    return *count ? 0 : refuse(r, text, "the key is missing; expected one such as grid.rate=48000");
}

static bool looks_like_libconfig(const char *value)
{
    return strchr("\"([{+-.0123456789", *value) || !strcasecmp(value, "true") || !strcasecmp(value, "false");
}

/* Arrays hold one type only, lists hold any; so arrays are read as lists. */
static void arrays_to_lists(char *text)
{
    bool inside = false;
    for (; *text; text++) {
        if (*text == '\\' && text[1] && inside)
            text++;
        else if (*text == '"')
            inside = !inside;
        else if (!inside && *text == '[')
            *text = '(';
        else if (!inside && *text == ']')
            *text = ')';
    }
}

int copy_value(config_setting_t *target, const config_setting_t *from)
{
    switch (config_setting_type(from)) {
    case CONFIG_TYPE_INT:
        return config_setting_set_int(target, config_setting_get_int(from)) ? 0 : -1;
    case CONFIG_TYPE_INT64:
        return config_setting_set_int64(target, config_setting_get_int64(from)) ? 0 : -1;
    case CONFIG_TYPE_FLOAT:
        return config_setting_set_float(target, config_setting_get_float(from)) ? 0 : -1;
    case CONFIG_TYPE_BOOL:
        return config_setting_set_bool(target, config_setting_get_bool(from)) ? 0 : -1;
    case CONFIG_TYPE_STRING:
        return config_setting_set_string(target, config_setting_get_string(from)) ? 0 : -1;
    default:
        break;
    }
    for (unsigned i = 0; i < (unsigned)config_setting_length(from); i++) {
        const config_setting_t *element = config_setting_get_elem(from, i);
        config_setting_t *copy = config_setting_add(target, element->name, config_setting_type(element));
        if (!copy || copy_value(copy, element))
            return -1;
    }
    return 0;
}

/* libconfig can only append to a list, so the element is appended and swapped into position. */
static config_setting_t *fresh_element(config_setting_t *list, unsigned index, int type)
{
    list->type = CONFIG_TYPE_LIST; /* an array holds values of one type only */
    config_setting_t *element = config_setting_add(list, NULL, type);
    if (!element)
        return NULL;
    unsigned last = (unsigned)config_setting_length(list) - 1;
    list->value.list->elements[last] = list->value.list->elements[index];
    list->value.list->elements[index] = element;
    config_setting_remove_elem(list, last);
    return element;
}

static config_setting_t *fresh_member(config_setting_t *group, const char *name, int type)
{
    if (member_of(group, name))
        config_setting_remove(group, name);
    return config_setting_add(group, name, type);
}

static config_setting_t *step_into(config_setting_t *at, const struct step *step, const char **why)
{
    if (!*step->name) {
        *why = "there is no such list";
        if (!config_setting_is_list(at) && !config_setting_is_array(at))
            return NULL;
        *why = "the list has fewer elements; count from [0]";
        return config_setting_get_elem(at, step->index);
    }
    *why = "part of the key is not a group { }";
    if (!config_setting_is_group(at))
        return NULL;
    for (unsigned i = 0; i < (unsigned)config_setting_length(at); i++)
        if (!strcmp(config_setting_get_elem(at, i)->name, step->name))
            return config_setting_get_elem(at, i);
    *why = NULL;
    return NULL;
}

static void drop_member(config_setting_t *group, const char *name)
{
    const config_setting_t *member = member_of(group, name);
    if (member && !member->hook) /* the value of another --set stays, and the pair is refused later */
        config_setting_remove(group, name);
}

/* The group of a key as the table names it: "sources[]", "materials.NAME". */
static void group_of(const struct step *steps, size_t count, char *text, size_t size)
{
    const struct key *outer = NULL;
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i + 1 < count && used < size; i++) {
        if (outer && (outer->type == KEY_DEFINITIONS || outer->type == KEY_CLASSES || outer->type == KEY_PRESETS))
            used = (size_t)snprintf(text, size, "%s", outer->inner);
        else
            used += (size_t)snprintf(text + used, size - used, "%s%s", *steps[i].name ? (i ? "." : "") : "[]",
                                     steps[i].name);
        outer = i ? NULL : key_find("", steps[i].name, 0);
    }
}

static void drop_rival(config_setting_t *group, const char *path, const char *name)
{
    drop_member(group, name);
    for (size_t k = 0; k < key_count; k++)
        if (!strcmp(keys[k].group, path) && keys[k].needs && !strcmp(keys[k].needs, name))
            drop_member(group, keys[k].name);
}

/* Removes the keys of the file that this key of --set excludes, with those that need them. */
static void drop_rivals(config_setting_t *group, const struct step *steps, size_t count)
{
    char path[256];
    group_of(steps, count, path, sizeof path);
    for (size_t i = 0; i < key_count; i++) {
        const struct key *key = &keys[i];
        if (strcmp(key->group, path) || strcmp(key->name, steps[count - 1].name))
            continue;
        for (const char *const *rival = key->unless; *rival; rival++)
            drop_rival(group, path, *rival);
    }
}

static int place_value(struct reader *r, const char *text, const char *hook, const struct step *steps, size_t count,
                       const config_setting_t *value)
{
    config_setting_t *at = config_root_setting(&r->config), *target = NULL;
    const char *why;
    int type = config_setting_type(value);
    bool unused = false;
    if (count > 2 && library_adopt(r, steps[0].name, steps[1].name, steps[2].name, &unused))
        return -1;
    if (unused)
        return refuse(r, text,
                      "the instruments of this file do not use presets; set keys such as those of instruments[0]");
    for (size_t i = 0; i + 1 < count; i++) {
        config_setting_t *next = step_into(at, &steps[i], &why);
        if (!next && why)
            return refuse(r, text, why);
        if (!next) {
            if (!*steps[i + 1].name)
                return refuse(r, text, "there is no such list in the file");
            next = config_setting_add(at, steps[i].name, CONFIG_TYPE_GROUP);
            if (!next)
                return refuse(r, text, "this is not a valid key name");
            config_setting_set_hook(next, (void *)(uintptr_t)hook);
        }
        at = next;
    }
    const struct step *last = &steps[count - 1];
    if (!step_into(at, last, &why) && why)
        return refuse(r, text, why);
    target = *last->name ? fresh_member(at, last->name, type) : fresh_element(at, last->index, type);
    if (!target)
        return refuse(r, text, "this is not a valid key name");
    config_setting_set_hook(target, (void *)(uintptr_t)hook);
    if (*last->name)
        drop_rivals(at, steps, count);
    return copy_value(target, value) ? reader_no_memory(r) : 0;
}

int apply_setting(struct reader *r, const char *text, const char *origin)
{
    struct step steps[STEPS_MAX];
    size_t count;
    char *line = NULL, *value = NULL, given[QUOTED];
    int result = -1;
    config_t parsed;
    config_init(&parsed);

    r->setting_origin = origin;
    const char *equals = strchr(text, '='), *start = text;
    if (!equals) {
        refuse(r, text, "expected key=value, such as grid.rate=48000");
        goto done;
    }
    while (start < equals && *start == ' ')
        start++;
    const char *end = equals;
    while (end > start && end[-1] == ' ')
        end--;
    if (split_path(r, start, end, steps, &count))
        goto done;
    value = text_copy(equals + 1 + strspn(equals + 1, " "));
    char *trailing = value ? value + strlen(value) : NULL;
    while (trailing && trailing > value && trailing[-1] == ' ')
        *--trailing = '\0';
    line = origin ? text_copy(origin) : text_format("--set %s", quoted(given, text));
    const char *hook = line ? reader_keep(r, line) : NULL;
    if (!value || !hook) {
        reader_no_memory(r);
        goto done;
    }
    if (take_former(&steps[0]))
        former_keys_found(r, &(struct origin){.file = hook});
    if (!*value || value[strcspn(value, "\r\n\t")]) {
        refuse(r, text, *value ? "the value must be on one line" : "the value is missing");
        goto done;
    }
    bool understood = false;
    if (looks_like_libconfig(value)) {
        free(line);
        line = text_format("value = %s;", value);
        if (!line) {
            reader_no_memory(r);
            goto done;
        }
        if (check_text(r, hook, line))
            goto done;
        arrays_to_lists(line);
        understood = parse_text(&parsed, line) && config_setting_length(config_root_setting(&parsed)) == 1;
    }
    if (!understood) { /* an unquoted text, such as brick */
        config_destroy(&parsed);
        config_init(&parsed);
        config_setting_t *string = config_setting_add(config_root_setting(&parsed), "value", CONFIG_TYPE_STRING);
        if (!string || !config_setting_set_string(string, value)) {
            reader_no_memory(r);
            goto done;
        }
    }
    result = place_value(r, text, hook, steps, count, config_setting_get_elem(config_root_setting(&parsed), 0));
done:
    config_destroy(&parsed);
    free(line);
    free(value);
    return result;
}
