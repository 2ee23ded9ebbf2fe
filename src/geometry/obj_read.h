/* SPDX-License-Identifier: MIT */
/* Wavefront OBJ: its vertices and faces, and the names of materials.
 *
 * Read: v (three coordinates; what follows is ignored), f with all forms of corners (7, 7/1, 7//3, 7/1/3; negative:
 * from the last vertex backwards; vertices stand before the faces that use them), usemtl, g and o. Polygons become
 * triangles (geometry/polygon.h). A face's material is the name of the last usemtl; before any, of the last g or o; ""
 * before those. Names are the whole rest of their line. mtllib is not followed: the files it names say colours alone.
 * Lines and points are ignored, free-form surfaces refused. */
#ifndef AULA_GEOMETRY_OBJ_READ_H
#define AULA_GEOMETRY_OBJ_READ_H

#include "base/error.h"
#include "geometry/mesh.h"

/* As the file has it: its units and axes. ERROR_INPUT names file, line, face and material. */
int obj_read(struct mesh *m, const char *path, struct error *e);

#endif
