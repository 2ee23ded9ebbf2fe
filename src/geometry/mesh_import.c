/* SPDX-License-Identifier: MIT */
#include "geometry/mesh_import.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "geometry/mesh_wire.h"

const struct child_limits import_limits = {.bytes = 4e9, .cpu_seconds = 60, .wall_seconds = 180.0};

struct import_work {
    const char *path;
    bool file_axes;
    const struct mesh_importer *importer;
};

static int import_in_child(int pipe, void *argument)
{
    const struct import_work *w = argument;
    struct mesh_builder b = {0};
    struct error why = {0};
    const int failed = w->importer->import(&b, w->path, w->file_axes, &why);
    return mesh_wire_write(pipe, &b.mesh, failed ? &why : NULL) ? 1 : 0;
}

static int take_mesh(struct mesh_builder *b, const char *path, struct child *child,
                     const struct mesh_importer *importer, const struct child_limits *limits, struct error *e)
{
    bool failed = false;
    const enum wire_status s = mesh_wire_read(child->pipe, clock_seconds() + limits->wall_seconds, path, b, &failed, e);
    return child_conclude(child, s, failed, path, importer->name, "export it as OBJ", limits, e);
}

/* Limits processor time in proportion to the size of the file, so that a damaged file fails
 * quickly. */
static struct child_limits limits_for(const struct child_limits *most, const char *path,
                                      const struct mesh_importer *importer)
{
    static const double least = 5.0, of_a_byte = 20e-6; /* s */
    struct child_limits limits = *most;
    struct stat status;
    if (!importer->reads_others && !stat(path, &status) &&
        least + of_a_byte * (double)status.st_size < limits.cpu_seconds)
        limits.cpu_seconds = (unsigned)(least + of_a_byte * (double)status.st_size);
    return limits;
}

int mesh_import(struct mesh *m, const char *path, bool file_axes, const struct mesh_importer *importer,
                const struct child_limits *limits, struct error *e)
{
    memset(m, 0, sizeof *m);
    struct child child;
    struct import_work work = {path, file_axes, importer};
    const char *missing = importer->unavailable();
    if (missing)
        return fail(e, ERROR_INPUT, "%s: %s; export the model as OBJ or glTF", path, missing);
    if (access(path, R_OK))
        return fail(e, ERROR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    const struct child_limits own = limits_for(limits, path, importer);
    if (child_start(&child, &own, import_in_child, &work, path, e))
        return -1;
    struct mesh_builder b = {0};
    const int status = take_mesh(&b, path, &child, importer, &own, e);
    if (!status)
        mesh_builder_take(&b, m);
    mesh_builder_free(&b);
    return status;
}
