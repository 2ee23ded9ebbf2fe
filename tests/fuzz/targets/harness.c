/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 600 };

static char folder[PATH_BYTES / 2];

static void give_up(const char *path)
{
    perror(path);
    _exit(2);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void make_folder(void)
{
    const char *above = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/aula-fuzz-XXXXXX", above ? above : "/tmp");
    if (!mkdtemp(folder))
        give_up(folder);
    atexit(remove_folder);
}

const char *harness_path(const char *name)
{
    static char path[PATH_BYTES];
    if (!*folder)
        make_folder();
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

const char *harness_write(const char *name, const void *bytes, size_t size)
{
    for (const char *end = strchr(name, '/'); end; end = strchr(end + 1, '/')) {
        char above[PATH_BYTES];
        snprintf(above, sizeof above, "%s", harness_path(name));
        above[strlen(above) - strlen(end)] = '\0';
        mkdir(above, 0777);
    }
    const char *path = harness_path(name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
        give_up(path);
    return path;
}

const uint8_t *harness_piece(const uint8_t **data, size_t *left, size_t *size)
{
    const uint8_t *start = *data;
    if (!start)
        return NULL;
    const uint8_t *end = *left ? memchr(start, 0x0c, *left) : NULL;
    *size = end ? (size_t)(end - start) : *left;
    *left -= end ? *size + 1 : *size;
    *data = end ? end + 1 : NULL;
    return start;
}

char *harness_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        give_up("memory");
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}
