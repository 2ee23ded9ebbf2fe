/* SPDX-License-Identifier: MIT */
#include "io/sofa/read.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "io/sofa/wire.h"

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
