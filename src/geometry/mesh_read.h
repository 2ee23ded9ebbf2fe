/* SPDX-License-Identifier: MIT */
/* A mesh from a file, in metres with z up: the one entry point for every format.
 *
 *   OBJ              own reader; the unit must be given; z is up unless `up` says otherwise
 *   glTF, GLB        own reader; metres and y up, as their specification says, unless the options say otherwise
 *   STL, PLY         through assimp; unit and axis as of OBJ
 *   DAE              through assimp; unit and axis as the file says; `up` says otherwise
 *   IFC 2x3          through assimp; unit as the file says, z up
 * What assimp reads has the precision of float. */
#ifndef AULA_GEOMETRY_MESH_READ_H
#define AULA_GEOMETRY_MESH_READ_H

#include "base/error.h"
#include "geometry/mesh.h"
#include "geometry/mesh_prepare.h"

/* The caller frees the mesh with mesh_free. ERROR_INPUT names the file and what to do; ERROR_MEMORY; ERROR_STOPPED. */
int mesh_read(struct mesh *m, const char *path, const struct mesh_options *o, struct error *e);

/* Whether the format of this file states neither unit nor axes: OBJ, STL, PLY. */
bool mesh_format_is_bare(const char *path);

#endif
