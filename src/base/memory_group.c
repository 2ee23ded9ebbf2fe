/* SPDX-License-Identifier: MIT */
#include "base/memory_group.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* File names of the two versions of control groups. */
static const struct generation {
    const char *filesystem;
    const char *limits[2]; /* the smaller one counts */
    const char *used;
    const char *cache;  /* in memory.stat */
    const char *around; /* in memory.stat: the smallest limit of the groups around, also of those that are not shown */
} generations[] = {
    {"cgroup",
     {"memory.limit_in_bytes", NULL},
     "memory.usage_in_bytes",
     "total_inactive_file",
     "hierarchical_memory_limit"},
    {"cgroup2", {"memory.max", "memory.high"}, "memory.current", "inactive_file", NULL},
};
enum { GENERATIONS = sizeof generations / sizeof *generations };

static FILE *open_in(const char *folder, const char *name)
{
    char *path = text_format("%s/%s", folder, name);
    FILE *f = path ? fopen(path, "r") : NULL;
    free(path);
    return f;
}

static uint64_t number_in(const char *folder, const char *name)
{
    uint64_t value = UINT64_MAX;
    FILE *f = open_in(folder, name);
    if (!f)
        return UINT64_MAX;
    if (fscanf(f, "%" SCNu64, &value) != 1) /* "max": no limit */
        value = UINT64_MAX;
    fclose(f);
    return value;
}

/* A number of memory.stat; `absent` where it has none of that name. */
static uint64_t stat_in(const char *folder, const char *name, uint64_t absent)
{
    char line[128], key[64];
    uint64_t value, found = absent;
    FILE *f = name ? open_in(folder, "memory.stat") : NULL;
    if (!f)
        return absent;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%63s %" SCNu64, key, &value) == 2 && !strcmp(key, name))
            found = value;
    fclose(f);
    return found;
}

/* Available memory of one group. */
static uint64_t available_in(const char *folder, const struct generation *g)
{
    uint64_t limit = UINT64_MAX, used = number_in(folder, g->used);
    for (size_t i = 0; i < 2 && g->limits[i]; i++) {
        const uint64_t one = number_in(folder, g->limits[i]);
        limit = one < limit ? one : limit;
    }
    const uint64_t around = stat_in(folder, g->around, UINT64_MAX);
    limit = around < limit ? around : limit;
    if (limit == UINT64_MAX || used == UINT64_MAX)
        return UINT64_MAX;
    const uint64_t cache = stat_in(folder, g->cache, 0);
    used -= cache < used ? cache : used;
    return limit > used ? limit - used : 0;
}

/* The minimum over the group of `folder` and its ancestors, up to the mount point. Shortens `folder`. */
static uint64_t available_up_to(char *folder, size_t mount_length, const struct generation *g)
{
    uint64_t min = UINT64_MAX;
    for (;;) {
        const uint64_t left = available_in(folder, g);
        min = left < min ? left : min;
        char *slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < mount_length)
            return min;
        *slash = '\0';
    }
}

/* The kernel writes a space in a path as \040. */
static void undo_escapes(char *text)
{
    char *to = text;
    for (const char *at = text; *at; to++) {
        if (at[0] == '\\' && isdigit((unsigned char)at[1]) && isdigit((unsigned char)at[2]) &&
            isdigit((unsigned char)at[3])) {
            *to = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
            at += 4;
        } else {
            *to = *at++;
        }
    }
    *to = '\0';
}

static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && !strncmp(at, word, length))
            return true;
    return false;
}

/* Path of the process's group: v2 "0::/a/b", v1 "4:cpu,memory:/a/b". NULL: none. */
static char *group_path(const char *root, const struct generation *g)
{
    char *line = NULL, *found = NULL;
    size_t size = 0;
    FILE *f = open_in(root, "proc/self/cgroup");
    while (f && !found && getline(&line, &size, f) > 0) {
        char *controllers = strchr(line, ':'), *path = controllers ? strchr(++controllers, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        if (g == &generations[1] ? !*controllers : has_word(controllers, "memory"))
            found = text_copy(path);
    }
    if (f)
        fclose(f);
    free(line);
    return found;
}

/* A line of proc/self/mountinfo: "31 23 0:28 ROOT POINT options [..] - FILESYSTEM source SUPER". `root`: the group at
 * the top of the mount. */
struct mount {
    char *root, *point, *filesystem, *options;
};

static bool read_mount(char *line, struct mount *m)
{
    char *save = NULL, *word = strtok_r(line, " \n", &save);
    for (int i = 0; i < 3 && word; i++) /* mount, parent, device */
        word = strtok_r(NULL, " \n", &save);
    m->root = word;
    m->point = strtok_r(NULL, " \n", &save);
    while (word && strcmp(word, "-") != 0)
        word = strtok_r(NULL, " \n", &save);
    m->filesystem = word ? strtok_r(NULL, " \n", &save) : NULL;
    word = m->filesystem ? strtok_r(NULL, " \n", &save) : NULL; /* the source */
    m->options = word ? strtok_r(NULL, " \n", &save) : NULL;
    if (!m->options)
        return false;
    undo_escapes(m->root);
    undo_escapes(m->point);
    return true;
}

/* The part of the group's path below the mount's root. "" where it is not (namespace entered after the mount). */
static const char *below(const char *group, const char *shown)
{
    const size_t length = strcmp(shown, "/") != 0 ? strlen(shown) : 0;
    if (strncmp(group, shown, length) != 0 || (group[length] && group[length] != '/') || strstr(group, "/.."))
        return "";
    return strcmp(group + length, "/") != 0 ? group + length : "";
}

static uint64_t available_by_mount(const char *root, const struct mount *m, const char *group,
                                   const struct generation *g)
{
    char *folder = text_format("%s%s%s", root, m->point, below(group, m->root));
    const uint64_t left = folder ? available_up_to(folder, strlen(root) + strlen(m->point), g) : UINT64_MAX;
    free(folder);
    return left;
}

uint64_t memory_group_available(const char *root)
{
    uint64_t min = UINT64_MAX;
    char *line = NULL, *groups[GENERATIONS];
    size_t size = 0;
    struct mount m;
    for (size_t i = 0; i < GENERATIONS; i++)
        groups[i] = group_path(root, &generations[i]);
    FILE *f = open_in(root, "proc/self/mountinfo");
    while (f && getline(&line, &size, f) > 0) {
        if (!read_mount(line, &m))
            continue;
        for (size_t i = 0; i < GENERATIONS; i++) {
            const bool memory = i == 1 || has_word(m.options, "memory");
            if (!groups[i] || !memory || strcmp(m.filesystem, generations[i].filesystem) != 0)
                continue;
            const uint64_t left = available_by_mount(root, &m, groups[i], &generations[i]);
            min = left < min ? left : min;
        }
    }
    if (f)
        fclose(f);
    for (size_t i = 0; i < GENERATIONS; i++)
        free(groups[i]);
    free(line);
    return min;
}
