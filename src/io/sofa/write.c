/* SPDX-License-Identifier: MIT */
#include "io/sofa/write.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "io/sofa/wire.h"

static const uint64_t magic = 0x736f666177726974u;

/* What the child answers; then come the bytes. */
struct answer {
    uint64_t magic, bytes, failed;
    char message[1024];
};

struct write_work {
    const struct sofa_document *document;
    const struct sofa_library *library;
};

static int write_in_child(int pipe, void *argument)
{
    const struct write_work *w = argument;
    struct answer answer = {.magic = magic};
    struct error why = {0};
    void *bytes = NULL;
    size_t count = 0;
    if (w->library->write(&bytes, &count, w->document, &why)) {
        answer.failed = 1 + (uint64_t)why.code;
        memcpy(answer.message, why.message, sizeof answer.message - 1);
    } else {
        answer.bytes = count;
    }
    return wire_put(pipe, &answer, sizeof answer) || wire_put(pipe, bytes, (size_t)answer.bytes) ? 1 : 0;
}

static int put_bytes(struct output_file *f, const char *bytes, size_t count, struct error *e)
{
    while (count) {
        const ssize_t written = write(f->descriptor, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail(e, ERROR_OUTPUT, "%s: cannot write: %s", f->path, strerror(errno));
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

/* The answer's bytes into the file. *put: they could not be written, which is in *e. */
static enum wire_status take_bytes(struct output_file *f, int pipe, double deadline, bool *put, struct error *e)
{
    static const size_t piece = 1 << 16;
    struct answer answer;
    enum wire_status status = wire_get(pipe, deadline, &answer, sizeof answer);
    if (status != WIRE_DONE)
        return status;
    if (answer.magic != magic)
        return WIRE_ENDED;
    if (answer.failed) {
        answer.message[sizeof answer.message - 1] = '\0';
        wire_clean(answer.message);
        *put = true;
        fail(e, answer.failed == 1 + ERROR_MEMORY ? ERROR_MEMORY : ERROR_OUTPUT, "%s: %s", f->path, answer.message);
        return WIRE_DONE;
    }
    char bytes[1 << 16];
    for (uint64_t left = answer.bytes; left && status == WIRE_DONE && !*put;) {
        const size_t some = left < piece ? (size_t)left : piece;
        status = wire_get(pipe, deadline, bytes, some);
        *put = status == WIRE_DONE && put_bytes(f, bytes, some, e);
        left -= some;
    }
    return status;
}

int sofa_write_by(struct output_file *f, const struct sofa_document *d, const struct sofa_library *library,
                  struct error *e)
{
    struct write_work work = {d, library};
    struct child child;
    struct error why;
    bool told = false;
    const double bytes = 4.0 * (double)d->value_count * sizeof(double) + 5e8;
    const struct child_limits limits = {
        .bytes = bytes, .cpu_seconds = 600, .wall_seconds = 1800.0, .file_bytes = bytes};
    if (child_start(&child, &limits, write_in_child, &work, f->path, &why))
        return fail(e, ERROR_OUTPUT, "%s: cannot write: %s", f->path, why.message);
    const enum wire_status status = take_bytes(f, child.pipe, clock_seconds() + limits.wall_seconds, &told, e);
    if (!child_conclude(&child, status, told, f->path, library->name, "", &limits, told ? NULL : &why))
        return 0;
    if (told)
        return -1;
    if (status == WIRE_STOPPED)
        return fail(e, ERROR_STOPPED, "%s", why.message);
    return fail(e, ERROR_OUTPUT, "%s: cannot write: %s failed, perhaps for lack of memory", f->path, library->name);
}

int sofa_write_to(struct output_file *f, const struct sofa_document *d, struct error *e)
{
    const char *missing = sofa_library.unavailable();
    if (missing)
        return fail(e, ERROR_OUTPUT, "%s: %s and cannot write SOFA files; install libnetcdf-dev and rebuild", f->path,
                    missing);
    return sofa_write_by(f, d, &sofa_library, e);
}

int sofa_write(const char *path, const struct sofa_document *d, bool no_clobber, struct error *e)
{
    struct output_file f = {0};
    if (output_file_open(&f, path, e))
        return -1;
    f.no_clobber = no_clobber;
    const int status = sofa_write_to(&f, d, e) || output_file_commit(&f, e) ? -1 : 0;
    output_file_discard(&f);
    return status;
}

static const struct child_limits sofa_limits = {.bytes = 6e9, .cpu_seconds = 60, .wall_seconds = 180.0};

struct read_work {
    const char *path;
    const struct sofa_library *library;
};

static int read_in_child(int pipe, void *argument)
{
    const struct read_work *w = argument;
    struct sofa_document d = {0};
    struct error why = {0};
    const int failed = w->library->read(&d, w->path, &why);
    return sofa_wire_write(pipe, &d, failed ? &why : NULL) ? 1 : 0;
}

static int take(struct sofa_document *d, const char *path, struct child *child, const struct sofa_library *library,
                const struct child_limits *limits, struct error *e)
{
    bool failed = false;
    const enum wire_status s = sofa_wire_read(child->pipe, clock_seconds() + limits->wall_seconds, path, d, &failed, e);
    return child_conclude(child, s, failed, path, library->name, "save it again", limits, e);
}

/* The file's absolute path in fresh memory: netCDF takes some relative ones for addresses on the network. */
static int find_file(char **whole, const char *path, struct error *e)
{
    struct stat about;
    *whole = realpath(path, NULL);
    if (!*whole || access(path, R_OK) || stat(path, &about))
        fail(e, ERROR_INPUT, "%s: cannot open: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        fail(e, ERROR_INPUT, "%s: not a regular file; use a SOFA file", path);
    else
        return 0;
    free(*whole);
    return -1;
}

int sofa_read_by(struct sofa_document *d, const char *path, const struct sofa_library *library,
                 const struct child_limits *limits, struct error *e)
{
    memset(d, 0, sizeof *d);
    char *whole;
    struct child child;
    const char *missing = library->unavailable();
    if (missing)
        return fail(e, ERROR_INPUT, "%s: %s and cannot read SOFA files; install libnetcdf-dev and rebuild", path,
                    missing);
    if (find_file(&whole, path, e))
        return -1;
    struct read_work work = {whole, library};
    int status = child_start(&child, limits, read_in_child, &work, path, e);
    if (!status)
        status = take(d, path, &child, library, limits, e);
    free(whole);
    if (status)
        sofa_document_free(d);
    return status;
}

int sofa_read(struct sofa_document *d, const char *path, struct error *e)
{
    return sofa_read_by(d, path, &sofa_library, &sofa_limits, e);
}
