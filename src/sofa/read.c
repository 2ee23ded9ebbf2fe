#include "sofa/read.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/stop.h"
#include "sofa/wire.h"

const struct child_limits sofa_limits = {.bytes = 6e9, .cpu_seconds = 60, .wall_seconds = 180.0};

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
    static const char remedy[] = "save it again";
    bool failed = false;
    const enum wire_status s = sofa_wire_read(child->pipe, clock_seconds() + limits->wall_seconds, path, d, &failed, e);
    const int status = child_end(child);
    switch (s) {
    case WIRE_DONE:
        return failed ? -1 : 0;
    case WIRE_STOPPED:
        return stop_check(e);
    case WIRE_LATE:
        return child_late(path, library->name, remedy, limits, e);
    case WIRE_ENDED:
        return child_died(status, path, library->name, remedy, limits, e);
    case WIRE_REFUSED:
        break;
    }
    return -1;
}

/* The file's absolute path in fresh memory: netCDF takes some relative ones for addresses on the network. */
static int find_file(char **whole, const char *path, struct error *e)
{
    struct stat about;
    *whole = realpath(path, NULL);
    if (!*whole || access(path, R_OK) || stat(path, &about))
        fail(e, ERROR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        fail(e, ERROR_INPUT, "%s: is no regular file: give a SOFA file", path);
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
        return fail(e, ERROR_INPUT, "%s: %s, so it reads no SOFA files: install libnetcdf-dev and build it again", path,
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

static int put_bytes(struct output_file *f, const void *bytes, size_t count, struct error *e)
{
    FILE *stream = output_file_stream(f, e);
    if (!stream)
        return -1;
    const bool written = fwrite(bytes, 1, count, stream) == count;
    const int reason = errno;
    if (!fclose(stream) && written)
        return 0;
    return fail(e, ERROR_OUTPUT, "%s: cannot be written: %s", f->path, strerror(written ? errno : reason));
}

int sofa_write(const char *path, const struct sofa_document *d, bool no_clobber, struct error *e)
{
    struct output_file f = {0};
    void *bytes = NULL;
    size_t count = 0;
    const char *missing = sofa_library.unavailable();
    if (missing)
        return fail(e, ERROR_OUTPUT, "%s: %s, so it writes no SOFA files: install libnetcdf-dev and build it again",
                    path, missing);
    if (sofa_library.write(&bytes, &count, d, e))
        return -1;
    int status = output_file_open(&f, path, e);
    f.no_clobber = no_clobber;
    if (!status)
        status = put_bytes(&f, bytes, count, e) || output_file_commit(&f, e) ? -1 : 0;
    output_file_discard(&f);
    free(bytes);
    return status;
}
