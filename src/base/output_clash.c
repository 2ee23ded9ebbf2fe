/* SPDX-License-Identifier: MIT */
#include "base/output_clash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct named {
    const char *path;
    size_t index;
    bool exists;
    dev_t device;
    ino_t file;
};

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->path, ((const struct named *)b)->path);
}

/* Those that do not exist last. */
static int by_file(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->exists != y->exists)
        return x->exists ? -1 : 1;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

static bool same_path(const struct named *a, const struct named *b)
{
    return !by_path(a, b);
}

static bool same_existing(const struct named *a, const struct named *b)
{
    return a->exists && b->exists && !by_file(a, b);
}

/* Whether two are alike, which sorting puts side by side. */
static bool search(size_t pair[2], struct named *all, size_t count, int (*order)(const void *a, const void *b),
                   bool (*alike)(const struct named *a, const struct named *b))
{
    qsort(all, count, sizeof *all, order);
    for (size_t i = 1; i < count; i++)
        if (alike(&all[i - 1], &all[i])) {
            const size_t a = all[i - 1].index, b = all[i].index;
            pair[0] = a < b ? a : b;
            pair[1] = a < b ? b : a;
            return true;
        }
    return false;
}

int output_clash_find(bool *found, size_t pair[2], const char *const *paths, size_t count, struct error *e)
{
    struct named *all = calloc(count + 1, sizeof *all);
    size_t given = 0;
    *found = false;
    if (!all)
        return fail(e, ERROR_MEMORY, "out of memory for the names of %zu outputs", count);
    for (size_t i = 0; i < count; i++)
        if (paths[i]) {
            struct stat status;
            struct named *one = &all[given++];
            *one = (struct named){.path = paths[i], .index = i, .exists = !stat(paths[i], &status)};
            if (one->exists) {
                one->device = status.st_dev;
                one->file = status.st_ino;
            }
        }
    *found = search(pair, all, given, by_path, same_path) || search(pair, all, given, by_file, same_existing);
    free(all);
    return 0;
}
