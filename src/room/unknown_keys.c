/* SPDX-License-Identifier: MIT */
/* Refuses unknown keys and keys that the kind of an item does not use, and accepts former names of
 * groups. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "room/reader.h"

enum { NAMES_MAX = 128 };

void meant_add(struct meant *meant, const char *name)
{
    if (meant->count < MEANT_MAX)
        meant->names[meant->count++] = name;
}

bool meant_has(const struct meant *meant, const char *name)
{
    for (size_t i = 0; i < meant->count; i++)
        if (!strcmp(meant->names[i], name))
            return true;
    return false;
}

static int refuse_unknown(struct reader *r, const char *group, const config_setting_t *setting, struct meant *meant)
{
    const char *names[NAMES_MAX] = {NULL}, *elsewhere = NULL;
    size_t count = 0;
    char path[256], known[256] = "";
    for (size_t i = 0; i < key_count; i++) {
        if (!strcmp(keys[i].group, group) && count < NAMES_MAX)
            names[count++] = keys[i].name;
        else if (!strcmp(keys[i].name, setting->name) && !elsewhere)
            elsewhere = keys[i].group;
    }
    ptrdiff_t closest = text_closest(setting->name, names, count);
    if (closest >= 0) {
        meant_add(meant, names[closest]);
        setting_path(setting->parent, r->definition, names[closest], path, sizeof path);
        return reader_refuse(r, setting, NULL, "unknown key; did you mean %s?", path);
    }
    if (elsewhere)
        return reader_refuse(r, setting, NULL, "unknown key; did you mean %s%s%s?", elsewhere, *elsewhere ? "." : "",
                             setting->name);
    for (size_t i = 0, used = 0; i < count && used < sizeof known; i++)
        if (!i || strcmp(names[i], names[i - 1]))
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", names[i]);
    return reader_refuse(r, setting, NULL, "unknown key; valid keys: %s", known);
}

static bool is_key(const char *group, const char *name)
{
    for (size_t i = 0; i < key_count; i++)
        if (!strcmp(keys[i].group, group) && !strcmp(keys[i].name, name))
            return true;
    return false;
}

int refuse_unknown_members(struct reader *r, const char *group, const config_setting_t *setting, struct meant *meant)
{
    int length = setting ? config_setting_length(setting) : 0;
    for (unsigned i = 0; i < (unsigned)length; i++) {
        const config_setting_t *member = config_setting_get_elem(setting, i);
        if (!is_key(group, member->name) && refuse_unknown(r, group, member, meant) && !reader_goes_on(r))
            return -1;
    }
    return 0;
}

static int refuse_unused(struct reader *r, const struct key *list, unsigned kind, const config_setting_t *setting)
{
    char users[160] = "";
    size_t used = 0;
    for (unsigned other = 0; other < list->kind_count && used < sizeof users; other++)
        if (key_find(list->inner, setting->name, other))
            used += (size_t)snprintf(users + used, sizeof users - used, "%s%s = \"%s\"", used ? " or " : "",
                                     list->kind_key, list->kind_names[other]);
    return reader_refuse(r, setting, NULL, "is used with %s only, but this %s is \"%s\"", users, list->kind_key,
                         list->kind_names[kind]);
}

int refuse_unused_members(struct reader *r, const struct key *list, unsigned kind, const config_setting_t *setting)
{
    int length = setting ? config_setting_length(setting) : 0;
    for (unsigned i = 0; i < (unsigned)length; i++) {
        const config_setting_t *member = config_setting_get_elem(setting, i);
        if (is_key(list->inner, member->name) && !key_find(list->inner, member->name, kind) &&
            refuse_unused(r, list, kind, member) && !reader_goes_on(r))
            return -1;
    }
    return 0;
}

/* Former names of groups, from the previous release. */

static const struct {
    const char *former, *name;
} groups[] = {{"band", "hybrid"}};

enum { GROUPS = sizeof groups / sizeof *groups };

const char *former_key(const char *path, size_t *length)
{
    *length = strcspn(path, ".=[ \t");
    for (size_t i = 0; i < GROUPS; i++)
        if (strlen(groups[i].former) == *length && !strncmp(groups[i].former, path, *length))
            return groups[i].name;
    return NULL;
}

void former_keys_found(struct reader *r, const struct origin *origin)
{
    if (!r->room->former_keys.file)
        r->room->former_keys = *origin;
}

static int refuse_both(struct reader *r, const config_setting_t *former, const config_setting_t *present)
{
    char where[512];
    const struct origin origin = reader_origin(r, present);
    return reader_refuse(r, former, NULL, "is the former name of %s, and %s is also set (%s); move these keys there",
                         present->name, present->name, origin_text(&origin, "", where, sizeof where));
}

int former_keys_rename(struct reader *r)
{
    const config_setting_t *root = config_root_setting(&r->config);
    for (size_t i = 0; i < GROUPS; i++) {
        config_setting_t *former = config_setting_get_member(root, groups[i].former);
        const config_setting_t *present = config_setting_get_member(root, groups[i].name);
        if (!former)
            continue;
        if (present)
            return refuse_both(r, former, present);
        const struct origin origin = reader_origin(r, former);
        char *name = text_copy(groups[i].name);
        if (!name)
            return reader_no_memory(r);
        free(former->name); /* libconfig can only add and remove, which loses lines */
        former->name = name;
        former_keys_found(r, &origin);
    }
    return 0;
}

char *former_keys_note(const struct origin *origin)
{
    char line[24] = "";
    if (origin->line)
        snprintf(line, sizeof line, ", line %d", origin->line);
    return text_format("%s%s: the keys %s.* have been renamed to %s.*", origin->file, line, groups[0].former,
                       groups[0].name);
}
