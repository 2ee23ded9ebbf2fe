#include "base/anonymous_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static int put_piece(int file, const char *bytes, size_t count, struct error *e)
{
    for (size_t done = 0; done < count;) {
        const ssize_t written = write(file, bytes + done, count - done);
        if (written < 0 && errno != EINTR)
            return fail(e, ERROR_OUTPUT, "standard input: no room to keep it: %s: set TMPDIR to another folder",
                        strerror(errno));
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

static int copy_input(int file, struct error *e)
{
    char bytes[PIECE];
    for (;;) {
        const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
        if (stop_requested())
            return fail(e, ERROR_STOPPED, "stopped while standard input was read");
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fail(e, ERROR_INPUT, "standard input: cannot be read: %s", strerror(errno));
        if (!count)
            return lseek(file, 0, SEEK_SET) ? fail(e, ERROR_OUTPUT, "standard input: %s", strerror(errno)) : 0;
        if (put_piece(file, bytes, (size_t)count, e))
            return -1;
    }
}

int anonymous_file_of_input(struct error *e)
{
    if (isatty(STDIN_FILENO))
        return fail(e, ERROR_USAGE, "-: standard input is a terminal: send a sound to it, as in < voice.wav");
    const int file = anonymous_file(e);
    if (file >= 0 && copy_input(file, e)) {
        close(file);
        return -1;
    }
    return file;
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
