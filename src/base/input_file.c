/* SPDX-License-Identifier: MIT */
#include "base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static int refuse(const char *path, mode_t mode, struct error *e)
{
    if (S_ISDIR(mode))
        return fail(e, ERROR_INPUT, "%s: is a folder, not a file", path);
    return fail(e, ERROR_INPUT, "%s: is a %s, not a file; save its content to a file first", path,
                S_ISFIFO(mode)   ? "pipe"
                : S_ISSOCK(mode) ? "socket"
                                 : "device");
}

/* Without O_NONBLOCK the opening of a pipe waits for its writer. */
static int open_any(const char *path, bool pipes, struct error *e)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status)) {
        fail(e, ERROR_INPUT, "%s: cannot open: %s", path, strerror(errno));
        if (file >= 0)
            close(file);
        return -1;
    }
    if (S_ISREG(status.st_mode))
        return file;
    const int copy =
        pipes && S_ISFIFO(status.st_mode) ? anonymous_file_copy(file, path, e) : refuse(path, status.st_mode, e);
    close(file);
    return copy;
}

int input_file_open(const char *path, struct error *e)
{
    return open_any(path, false, e);
}

int input_file_open_pipe(const char *path, struct error *e)
{
    return open_any(path, true, e);
}

FILE *input_file_stream(const char *path, struct error *e)
{
    const int file = input_file_open(path, e);
    FILE *stream = file < 0 ? NULL : fdopen(file, "rb");
    if (file >= 0 && !stream) {
        close(file);
        fail(e, ERROR_MEMORY, "%s: out of memory", path);
    }
    return stream;
}
