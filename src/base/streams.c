/* SPDX-License-Identifier: MIT */
#include "base/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sanitize_text.h"
#include "base/stop.h"

struct channel {
    int descriptor;
    int reason; /* errno of the first write that failed, else 0 */
    struct sanitize_text visible;
};

static struct channel output = {.descriptor = STDOUT_FILENO}, messages = {.descriptor = STDERR_FILENO};

/* Waits until a write of as much as *count, which may become less, does not wait itself. False: a signal came before
 * that. It is looked for by time, too: it may come just before the wait. */
static bool wait_ready(const struct channel *c, size_t *count)
{
    enum { LOOK = 100 }; /* ms between looks */
    struct pollfd ready = {.fd = c->descriptor, .events = POLLOUT};
    int polled = poll(&ready, 1, 0);
    while ((!polled || (polled < 0 && errno == EINTR)) && !stop_signalled())
        polled = poll(&ready, 1, LOOK);
    const bool stopped = !polled || (polled < 0 && errno == EINTR);
    if (*count > PIPE_BUF) { /* a pipe that can be written to has room for so much */
        struct stat status;
        *count = !fstat(c->descriptor, &status) && S_ISREG(status.st_mode) ? *count : PIPE_BUF;
    }
    return !stopped;
}

static int write_all(struct channel *c, const char *bytes, size_t count)
{
    while (count) {
        size_t piece = count;
        if (!wait_ready(c, &piece)) {
            c->reason = c->reason ? c->reason : EINTR;
            return -1;
        }
        const ssize_t written = write(c->descriptor, bytes, piece);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            c->reason = c->reason ? c->reason : errno;
            return -1;
        }
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

/* Write function of a cookie stream: a result below `count` sets the stream's error flag. */
static ssize_t write_sanitized(void *cookie, const char *bytes, size_t count)
{
    enum { PIECE = 1024 };
    struct channel *c = cookie;
    char shown[SANITIZE_MAX(PIECE)];
    for (size_t done = 0; done < count;) {
        const size_t piece = count - done < PIECE ? count - done : PIECE;
        if (write_all(c, shown, sanitize_piece(&c->visible, shown, bytes + done, piece)))
            return (ssize_t)done;
        done += piece;
    }
    return (ssize_t)count;
}

/* Without memory the C library's stream stays in use. */
static FILE *replaced(FILE *stream, struct channel *c, int buffering)
{
    const cookie_io_functions_t functions = {.write = write_sanitized};
    FILE *mine = fopencookie(c, "w", functions);
    if (mine)
        setvbuf(mine, NULL, buffering, BUFSIZ);
    return mine ? mine : stream;
}

void streams_open(void)
{
    for (int descriptor = 0; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0) /* opened in the wrong direction, so that using it stays an error */
            (void)!open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    stdout = replaced(stdout, &output, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    stderr = replaced(stderr, &messages, _IONBF);
}

static void end_letter(struct channel *c)
{
    char shown[SANITIZE_MAX(0)];
    write_all(c, shown, sanitize_end(&c->visible, shown));
}

static int fail_output(struct error *e)
{
    if (output.reason == EINTR)
        return fail(e, ERROR_STOPPED, "stopped while writing to standard output, which nothing reads");
    return fail(e, ERROR_OUTPUT, "standard output: cannot write%s%s", output.reason ? ": " : "",
                output.reason ? strerror(output.reason) : "");
}

int streams_close(struct error *e)
{
    const bool flushed = !fflush(stdout), whole = !ferror(stdout);
    end_letter(&output);
    return flushed && whole && !output.reason ? 0 : fail_output(e);
}

bool streams_reader_left(void)
{
    return output.reason == EPIPE;
}

int streams_write(const void *bytes, size_t count, struct error *e)
{
    fflush(stdout);
    return write_all(&output, bytes, count) ? fail_output(e) : 0;
}

void streams_control(const char *sequence)
{
    fflush(stderr);
    write_all(&messages, sequence, strlen(sequence));
}
