/* SPDX-License-Identifier: MIT */
#include "studio/models.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "base/text.h"

/* Whether both can be read and hold the same bytes. */
static bool same_bytes(const char *a, const char *b)
{
    struct error ignored;
    FILE *first = input_file_stream(a, &ignored), *second = input_file_stream(b, &ignored);
    bool same = first && second;
    while (same) {
        char x[4096], y[4096];
        const size_t one = fread(x, 1, sizeof x, first), other = fread(y, 1, sizeof y, second);
        same = one == other && !memcmp(x, y, one);
        if (!one)
            break;
    }
    if (first)
        fclose(first);
    if (second)
        fclose(second);
    return same;
}

static int copy_file(const char *from, const char *to, struct error *e)
{
    struct output_file file = {0};
    FILE *source = input_file_stream(from, e), *copy = NULL;
    int status = !source || output_file_open(&file, to, e) || !(copy = output_file_stream(&file, e)) ? -1 : 0;
    char bytes[65536];
    size_t got;
    while (!status && (got = fread(bytes, 1, sizeof bytes, source)) > 0)
        if (fwrite(bytes, 1, got, copy) != got)
            status = fail(e, ERROR_OUTPUT, "%s: cannot write: %s", to, strerror(errno));
    if (copy && fclose(copy) && !status)
        status = fail(e, ERROR_OUTPUT, "%s: cannot write: %s", to, strerror(errno));
    if (source)
        fclose(source);
    status = status || output_file_commit(&file, e);
    output_file_discard(&file);
    return status ? -1 : 0;
}

static int settle(const char *from, const char *folder, struct error *e)
{
    char *to = text_format("%s/%s", folder, path_name(from));
    int status = to ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && !access(to, F_OK) && !same_bytes(from, to))
        status = fail(e, ERROR_OUTPUT, "%s: another file has this name; rename it, or save in another folder", to);
    else if (!status && access(to, F_OK))
        status = copy_file(from, to, e);
    free(to);
    return status;
}

static int is_companion(const struct dirent *entry)
{
    const char *suffix = strrchr(entry->d_name, '.');
    return suffix && (!strcasecmp(suffix, ".bin") || !strcasecmp(suffix, ".mtl"));
}

/* The buffers and materials that were dropped with a model. */
static int settle_companions(const char *from, const char *folder, struct error *e)
{
    char *drop = path_folder(from);
    struct dirent **entries = NULL;
    const int count = drop ? scandir(drop, &entries, is_companion, alphasort) : 0;
    int status = 0;
    for (int i = 0; i < count; i++) {
        char *path = text_format("%s/%s", drop, entries[i]->d_name);
        if (!status)
            status = path ? settle(path, folder, e) : fail(e, ERROR_MEMORY, "out of memory");
        free(path);
        free(entries[i]);
    }
    free(entries);
    free(drop);
    return status;
}

/* The name that a file of a drop was dropped with, in its path after the folder of uploads; of one that lies elsewhere, such
 * as upload-2/../sounds/voice.flac, the name that a dropped room file has for it. */
static const char *name_in_drop(const char *path, size_t temporary)
{
    const char *name = strchr(path + temporary + 1, '/');
    name = name ? name + 1 : path_name(path);
    return strncmp(name, "./", 2) ? name : name + 2;
}

char *models_settle(const char *text, const char *temporary, const char *folder, struct error *e)
{
    struct growing_text made = {0};
    const size_t length = strlen(temporary);
    int status = 0;
    for (const char *at; !status && (at = strstr(text, temporary));) {
        const size_t path_length = strcspn(at, "\"\n");
        char *path = text_format("%.*s", (int)path_length, at);
        const bool inside = path && path[length] == '/';
        const char *name = inside ? name_in_drop(path, length) : path;
        growing_text_bytes(&made, text, (size_t)(at - text));
        if (!path)
            status = fail(e, ERROR_MEMORY, "out of memory");
        else if (inside && !strchr(name, '/'))
            status = settle(path, folder, e) || settle_companions(path, folder, e) ? -1 : 0;
        growing_text_add(&made, "%s", name ? name : "");
        text = at + path_length;
        free(path);
    }
    growing_text_add(&made, "%s", text);
    char *whole = growing_text_take(&made, NULL);
    if (!whole)
        fail(e, ERROR_MEMORY, "out of memory");
    if (status)
        free(whole);
    return status ? NULL : whole;
}
