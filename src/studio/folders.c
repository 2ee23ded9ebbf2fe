/* SPDX-License-Identifier: MIT */
#include "studio/folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

static bool is_dots(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

void folder_remove(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char *inner = is_dots(entry->d_name) ? NULL : text_format("%s/%s", path, entry->d_name);
        if (inner && unlink(inner) && errno == EISDIR)
            folder_remove(inner);
        free(inner);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

void folder_use(const char *path)
{
    utimensat(AT_FDCWD, path, NULL, 0);
}

/* A folder of a job. */
struct kept {
    unsigned number;
    uint64_t bytes;
    struct timespec used;
};

static uint64_t bytes_in(const char *path)
{
    DIR *folder = opendir(path);
    uint64_t sum = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat status;
        if (!fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) && S_ISREG(status.st_mode))
            sum += (uint64_t)status.st_size;
    }
    if (folder)
        closedir(folder);
    return sum;
}

static int is_numbered(const struct dirent *entry)
{
    return strspn(entry->d_name, "0123456789") == strlen(entry->d_name);
}

static int by_use(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec)
        return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

void folders_limit(const char *path, uint64_t most, bool (*keeps)(const void *context, unsigned number),
                   const void *context)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, is_numbered, NULL);
    struct kept *list = count > 0 ? calloc((size_t)count, sizeof *list) : NULL;
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        char *folder = list ? text_format("%s/%s", path, entries[i]->d_name) : NULL;
        struct stat status;
        if (folder && !stat(folder, &status))
            list[i] = (struct kept){(unsigned)strtoul(entries[i]->d_name, NULL, 10), bytes_in(folder), status.st_mtim};
        sum += list ? list[i].bytes : 0;
        free(folder);
        free(entries[i]);
    }
    free(entries);
    if (list)
        qsort(list, (size_t)count, sizeof *list, by_use);
    for (int i = 0; list && i < count && sum > most; i++) {
        char *folder = keeps(context, list[i].number) ? NULL : text_format("%s/%u", path, list[i].number);
        if (!folder)
            continue;
        folder_remove(folder);
        sum -= list[i].bytes;
        free(folder);
    }
    free(list);
}
