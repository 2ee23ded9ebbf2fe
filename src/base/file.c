/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input_file.h"
#include "base/memory.h"
#include "base/stop.h"
#include "base/streams.h"
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
        return fail(e, ERROR_INPUT, "%s: is UTF-16; save it as UTF-8", path);
    const char *nul = memchr(text, '\0', length);
    int line = 1;
    for (const char *at = text; nul && at < nul; at++)
        line += *at == '\n' || (*at == '\r' && at[1] != '\n');
    return nul ? fail(e, ERROR_INPUT, "%s:%d: contains a NUL byte; save the file as UTF-8 text", path, line) : 0;
}

/* The size of a file of the kernel is not known. */
static int too_large(const char *path, const struct stat *status, size_t max, struct error *e)
{
    const bool sized = S_ISREG(status->st_mode) && (size_t)status->st_size > max;
    return fail(e, ERROR_INPUT, "%s: is too large for a text file of this kind (%s%zu bytes, at most %zu)", path,
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
        return bad ? fail(e, ERROR_INPUT, "%s: cannot read", path) : too_large(path, &status, max, e);
    }
    buffer[length] = '\0';
    if (check_text(path, buffer, length, e)) {
        free(buffer);
        return -1;
    }
    *text = buffer;
    return 0;
}

enum { PIECE = 1 << 16 };

/* For file systems without O_TMPFILE. */
static int named_and_removed(const char *folder)
{
    char *name = text_format("%s/aula.part-XXXXXX", folder);
    const int file = name ? mkostemp(name, O_CLOEXEC) : -1;
    const int reason = errno;
    if (file >= 0)
        unlink(name);
    free(name);
    errno = reason;
    return file;
}

int anonymous_file(struct error *e)
{
    const char *chosen = getenv("TMPDIR"), *folder = chosen && *chosen ? chosen : "/tmp";
    int file = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        file = named_and_removed(folder);
    return file >= 0 ? file
                     : fail(e, ERROR_OUTPUT, "%s: cannot create a temporary file: %s; set TMPDIR to another folder",
                            folder, strerror(errno));
}

static int put_piece(int file, const char *bytes, size_t count, const char *said, struct error *e)
{
    for (size_t done = 0; done < count;) {
        const ssize_t written = write(file, bytes + done, count - done);
        if (written < 0 && errno != EINTR)
            return fail(e, ERROR_OUTPUT, "%s: cannot store a temporary copy: %s; set TMPDIR to another folder", said,
                        strerror(errno));
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

/* A read that a stop ends, also one that was requested before it. */
static ssize_t read_piece(int from, char bytes[PIECE])
{
    enum { LOOK = 100 }; /* ms between looks at stop_requested */
    struct pollfd ready = {.fd = from, .events = POLLIN};
    while (!stop_requested()) {
        const int polled = poll(&ready, 1, LOOK);
        if (!polled || (polled < 0 && errno == EINTR))
            continue;
        const ssize_t count = polled < 0 ? -1 : read(from, bytes, PIECE);
        if (count >= 0 || (errno != EINTR && errno != EAGAIN))
            return count;
    }
    return 0;
}

int anonymous_file_copy(int from, const char *said, struct error *e)
{
    char bytes[PIECE];
    const double most = (double)memory_available(); /* what is read from it takes as much or more */
    const int file = anonymous_file(e);
    int status = file < 0 ? -1 : 0;
    for (double sum = 0.0; !status;) {
        const ssize_t count = read_piece(from, bytes);
        sum += (double)count;
        if (stop_requested())
            status = fail(e, ERROR_STOPPED, "stopped while reading %s", said);
        else if (count < 0)
            status = fail(e, ERROR_INPUT, "%s: cannot read: %s", said, strerror(errno));
        else if (sum > most)
            status = fail(e, ERROR_MEMORY, "%s: is larger than the available memory of %s", said,
                          memory_text((uint64_t)most));
        else if (!count && lseek(file, 0, SEEK_SET))
            status = fail(e, ERROR_OUTPUT, "%s: %s", said, strerror(errno));
        else if (!count)
            return file;
        else
            status = put_piece(file, bytes, (size_t)count, said, e);
    }
    if (file >= 0)
        close(file);
    return -1;
}

int anonymous_file_of_input(struct error *e)
{
    if (isatty(STDIN_FILENO))
        return fail(e, ERROR_USAGE, "-: standard input is a terminal; redirect a sound to it, as in < voice.wav");
    return anonymous_file_copy(STDIN_FILENO, "standard input", e);
}

int anonymous_file_print(int file, struct error *e)
{
    char bytes[PIECE];
    off_t at = 0;
    for (;;) {
        const ssize_t count = pread(file, bytes, sizeof bytes, at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fail(e, ERROR_OUTPUT, "standard output: cannot write: %s", strerror(errno));
        if (!count)
            return 0;
        if (streams_write(bytes, (size_t)count, e))
            return -1;
        at += count;
    }
}
