/* SPDX-License-Identifier: MIT */
#include "base/anonymous_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/stop.h"
#include "base/streams.h"
#include "base/text.h"

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
    return file >= 0
               ? file
               : fail(e, ERROR_OUTPUT, "%s: no temporary file can be made there: %s: set TMPDIR to another folder",
                      folder, strerror(errno));
}

static int put_piece(int file, const char *bytes, size_t count, const char *said, struct error *e)
{
    for (size_t done = 0; done < count;) {
        const ssize_t written = write(file, bytes + done, count - done);
        if (written < 0 && errno != EINTR)
            return fail(e, ERROR_OUTPUT, "%s: no room to keep it: %s: set TMPDIR to another folder", said,
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
            status = fail(e, ERROR_STOPPED, "stopped while %s was read", said);
        else if (count < 0)
            status = fail(e, ERROR_INPUT, "%s: cannot be read: %s", said, strerror(errno));
        else if (sum > most)
            status = fail(e, ERROR_MEMORY, "%s: is longer than the %s of memory that is available", said,
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
        return fail(e, ERROR_USAGE, "-: standard input is a terminal: send a sound to it, as in < voice.wav");
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
            return fail(e, ERROR_OUTPUT, "standard output: cannot be written: %s", strerror(errno));
        if (!count)
            return 0;
        if (streams_write(bytes, (size_t)count, e))
            return -1;
        at += count;
    }
}
