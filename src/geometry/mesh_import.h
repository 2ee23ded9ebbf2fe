/* SPDX-License-Identifier: MIT */
/* Reads meshes of other formats by a library (geometry/importer.h) in a child process with limits
 * on memory and time. If the library crashes or hangs on a damaged file, the program reports one
 * clear error. */
#ifndef AULA_GEOMETRY_MESH_IMPORT_H
#define AULA_GEOMETRY_MESH_IMPORT_H

#include <stdbool.h>

#include "base/child.h"
#include "base/error.h"
#include "geometry/importer.h"
#include "geometry/mesh.h"

extern const struct child_limits import_limits; /* those of mesh_read */

/* As `importer` gives it. No process and no descriptor stays behind, whatever happens. ERROR_INPUT names the file;
 * ERROR_STOPPED. */
int mesh_import(struct mesh *m, const char *path, bool file_axes, const struct mesh_importer *importer,
                const struct child_limits *limits, struct error *e);

#endif
