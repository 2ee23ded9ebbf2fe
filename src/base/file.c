/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input_file.h"
#include "base/text.h"

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return text_copy(".");
    if (slash == path)
        return text_copy("/");
    return text_format("%.*s", (int)(slash - path), path);
}

char *path_join(const char *folder, const char *path)
{
    if (path[0] == '/' || !strcmp(folder, "."))
        return text_copy(path);
    return text_format("%s/%s", folder, path);
}

/* Bytes of the folders that both paths begin with, their last slash included. */
static size_t common_length(const char *folder, const char *path)
{
    size_t common = 0, i = 0;
    for (; path[i] && folder[i] == path[i]; i++)
        if (path[i] == '/')
            common = i + 1;
    return !folder[i] && path[i] == '/' ? i + 1 : common;
}

char *path_relative(const char *folder, const char *path)
{
    const size_t common = common_length(folder, path);
    size_t ups = 0;
    if (common <= 1)
        return text_copy(path);
    for (const char *rest = folder + (common < strlen(folder) ? common : strlen(folder)); *rest;
         rest += strcspn(rest, "/"), rest += *rest == '/')
        ups++;
    char *text = text_format("%*s%s", (int)(3 * ups), "", path + common);
    for (size_t i = 0; text && i < ups; i++)
        memcpy(text + 3 * i, "../", 3);
    return text;
}

bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    if (!strcmp(a, b))
        return true;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static size_t stem_end(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - path) : strlen(path);
}

char *path_with_suffix(const char *path, const char *suffix)
{
    return text_format("%.*s%s", (int)stem_end(path), path, suffix);
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *path_stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t start = slash ? (size_t)(slash + 1 - path) : 0;
    return text_format("%.*s", (int)(stem_end(path) - start), path + start);
}

/* A text with a NUL byte would silently be truncated by its readers. */
static int check_text(const char *path, const char *text, size_t length, struct error *e)
{
    if (length >= 2 && (!memcmp(text, "\xFF\xFE", 2) || !memcmp(text, "\xFE\xFF", 2)))
        return fail(e, ERROR_INPUT, "%s: is UTF-16: save it as UTF-8", path);
    const char *nul = memchr(text, '\0', length);
    int line = 1;
    for (const char *at = text; nul && at < nul; at++)
        line += *at == '\n' || (*at == '\r' && at[1] != '\n');
    return nul ? fail(e, ERROR_INPUT, "%s:%d: holds a NUL byte: it is not text; save it as UTF-8", path, line) : 0;
}

/* The size of a file of the kernel is not known. */
static int too_large(const char *path, const struct stat *status, size_t max, struct error *e)
{
    const bool sized = S_ISREG(status->st_mode) && (size_t)status->st_size > max;
    return fail(e, ERROR_INPUT,
                "%s: is too large to be a text file of this kind: it has %s%zu bytes, and %zu is the most", path,
                sized ? "" : "more than ", sized ? (size_t)status->st_size : max, max);
}

int file_read_text(const char *path, size_t max, char **text, struct error *e)
{
    *text = NULL;
    struct stat status = {0};
    FILE *stream = input_file_stream(path, e);
    if (!stream)
        return -1;
    fstat(fileno(stream), &status);
    size_t length = 0, room = 0;
    char *buffer = NULL;
    for (;;) {
        if (length + 1 >= room) {
            room = room ? 2 * room : 4096;
            char *larger = realloc(buffer, room);
            if (!larger) {
                free(buffer);
                fclose(stream);
                return fail(e, ERROR_MEMORY, "%s: out of memory", path);
            }
            buffer = larger;
        }
        size_t got = fread(buffer + length, 1, room - length - 1, stream);
        length += got;
        if (!got || length > max)
            break;
    }
    bool bad = ferror(stream) != 0;
    fclose(stream);
    if (bad || length > max) {
        free(buffer);
        return bad ? fail(e, ERROR_INPUT, "%s: cannot be read", path) : too_large(path, &status, max, e);
    }
    buffer[length] = '\0';
    if (check_text(path, buffer, length, e)) {
        free(buffer);
        return -1;
    }
    *text = buffer;
    return 0;
}
