/* SPDX-License-Identifier: MIT */
#include "geometry/mesh_read.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "geometry/ifc_schema.h"
#include "geometry/mesh_checksum.h"
#include "geometry/mesh_import.h"
#include "geometry/obj_read.h"
#include "geometry/ply_header.h"

struct format {
    const char *suffix;
    const struct mesh_importer *importer; /* NULL: obj_read */
    enum mesh_unit unit;                  /* MESH_UNIT_FILE: it carries none */
    bool unit_fixed;                      /* the importer scales to metres as the file says */
    enum mesh_up up;                      /* of the format's coordinates */
    enum mesh_up imported; /* of what comes from the importer, unless it is told to keep the file's axes */
    bool can_keep_axes;    /* the importer can be told so */
};

static const struct format formats[] = {
    {".obj", NULL, MESH_UNIT_FILE, false, MESH_UP_Z, MESH_UP_Z, false},
    {".stl", &mesh_importer, MESH_UNIT_FILE, false, MESH_UP_Z, MESH_UP_Z, false},
    {".ply", &mesh_importer, MESH_UNIT_FILE, false, MESH_UP_Z, MESH_UP_Z, false},
    {".gltf", &gltf_importer, MESH_UNIT_M, false, MESH_UP_Y, MESH_UP_Y, false},
    {".glb", &gltf_importer, MESH_UNIT_M, false, MESH_UP_Y, MESH_UP_Y, false},
    {".dae", &mesh_importer, MESH_UNIT_M, true, MESH_UP_FILE, MESH_UP_Y, true},
    {".ifc", &mesh_importer, MESH_UNIT_M, true, MESH_UP_Z, MESH_UP_Y, false},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const struct format *find_format(const char *path)
{
    const char *dot = strrchr(path_name(path), '.');
    for (size_t i = 0; dot && i < FORMATS; i++)
        if (!strcasecmp(dot, formats[i].suffix))
            return &formats[i];
    return NULL;
}

bool mesh_format_is_bare(const char *path)
{
    const struct format *f = find_format(path);
    return f && f->unit == MESH_UNIT_FILE;
}

static const struct format *format_of(const char *path, struct error *e)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    char shown[QUOTED]; /* it may be any text */
    const struct format *f = find_format(path);
    if (f)
        return f;
    if (dot && !strcasecmp(dot, ".skp"))
        fail(e, ERROR_INPUT, "%s: SketchUp models are not read: export it from SketchUp as OBJ or DAE",
             quoted(shown, name));
    else
        fail(e, ERROR_INPUT,
             "%s: is not a mesh that is read: those are .obj, .gltf, .glb, .stl, .ply, .dae and .ifc (2x3); export it "
             "as OBJ",
             quoted(shown, name));
    return NULL;
}

/* Unit and axis of what was read, from what the format says and what the user says. */
static int settle(struct mesh_options *o, const struct format *f, const char *path, struct error *e)
{
    if (f->unit_fixed && o->unit != MESH_UNIT_FILE && o->unit != MESH_UNIT_M)
        return fail(e, ERROR_INPUT, "%s: the file says its unit itself: leave `unit` out", path);
    if (f->unit_fixed || o->unit == MESH_UNIT_FILE)
        o->unit = f->unit;
    if (o->unit == MESH_UNIT_FILE)
        return fail(e, ERROR_INPUT,
                    "%s: the format carries no unit: give `unit`, one of \"m\", \"cm\", \"mm\", \"inch\" and \"ft\"",
                    path);
    if (f->up == MESH_UP_Z && f->imported == MESH_UP_Y && o->up == MESH_UP_Y)
        return fail(e, ERROR_INPUT, "%s: in this format z is up: leave `up` out", path);
    if (o->up == MESH_UP_FILE || f->up != f->imported)
        o->up = f->can_keep_axes && o->up != MESH_UP_FILE ? o->up : f->imported;
    return 0;
}

/* A device or a pipe may never end, or wait for ever. What cannot be looked at is refused where it is opened. */
static int refuse_endless(const char *path, struct error *e)
{
    struct stat status;
    if (stat(path, &status) || S_ISREG(status.st_mode))
        return 0;
    return fail(e, ERROR_INPUT, "%s: is %s: a model is read from a regular file", path,
                S_ISDIR(status.st_mode) ? "a folder" : "a pipe or a device");
}

/* Refuses a mesh of float numbers that lies so far from its origin that they round it. */
static int refuse_far(const struct mesh *m, const char *path, struct error *e)
{
    double least[3], greatest[3], away = 0.0, extent = 0.0;
    mesh_bounds(m, least, greatest);
    for (int k = 0; k < 3; k++) {
        away = fmax(away, fmax(-least[k], greatest[k]));
        extent = fmax(extent, greatest[k] - least[k]);
    }
    const double step = away * FLT_EPSILON;
    if (step <= 1e-3 * extent)
        return 0;
    return fail(
        e, ERROR_INPUT,
        "%s: lies %.4g km from its origin, where the numbers of its format are %.2g m apart: move it to its origin "
        "in the program that exports it, or export OBJ",
        path, 1e-3 * away, step);
}

int mesh_read(struct mesh *m, const char *path, const struct mesh_options *o, struct error *e)
{
    memset(m, 0, sizeof *m);
    struct mesh_options settled = *o;
    const struct format *f = format_of(path, e);
    if (!f || refuse_endless(path, e) || settle(&settled, f, path, e))
        return -1;
    if ((!strcmp(f->suffix, ".ifc") && ifc_schema_check(path, e)) ||
        (!strcmp(f->suffix, ".ply") && ply_header_check(path, e)))
        return -1;
    const bool file_axes = f->can_keep_axes && o->up != MESH_UP_FILE;
    if (f->importer ? mesh_import(m, path, file_axes, f->importer, &import_limits, e) : obj_read(m, path, e))
        return -1;
    m->checksum = mesh_checksum(m);
    if (mesh_prepare(m, path, &settled, e) || (f->importer && refuse_far(m, path, e))) {
        mesh_free(m);
        return -1;
    }
    return 0;
}
