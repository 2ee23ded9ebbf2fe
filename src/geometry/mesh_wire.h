/* SPDX-License-Identifier: MIT */
/* Transfers a mesh over a pipe from an untrusted child process; all sizes, indices and numbers are
 * checked. */
#ifndef AULA_GEOMETRY_MESH_WIRE_H
#define AULA_GEOMETRY_MESH_WIRE_H

#include <stdbool.h>

#include "base/child.h"
#include "base/error.h"
#include "geometry/mesh.h"

/* In the child: the mesh, or `failure` when it is not NULL. Nonzero: the pipe is broken. */
int mesh_wire_write(int fd, const struct mesh *m, const struct error *failure);

/* In the parent: reads until `deadline` of clock_seconds(). `path` stands in messages. With WIRE_DONE *failed says
 * which of the two it is. */
enum wire_status mesh_wire_read(int fd, double deadline, const char *path, struct mesh_builder *b, bool *failed,
                                struct error *e);

#endif
