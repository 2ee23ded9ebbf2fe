/* SPDX-License-Identifier: MIT */
/* Files of meshes for tests: a box of 5 x 4 x 3 m with a material for floor, ceiling and walls, in each format. */
#ifndef AULA_TESTS_BOX_FILES_H
#define AULA_TESTS_BOX_FILES_H

#include <stddef.h>

#include "geometry/mesh.h"

enum { BOX_PARTS = 3 }; /* "Floor", "Ceiling", "Walls" */

/* The text of the box as ".obj", ".stl", ".ply", ".gltf", ".dae" (z up) or ".ifc" (2x3), fresh memory; the unit of the
 * file is a metre where it carries one, and of all z is up but for glTF. ".stl-binary" and ".glb" hold NUL bytes. */
char *box_text(const char *format, size_t *length);

double mesh_volume(const struct mesh *m); /* enclosed by a closed mesh with fronts outwards */
double mesh_area(const struct mesh *m);

/* Area of the triangles of the material of this name; 0: there is none. */
double mesh_area_of(const struct mesh *m, const char *name);

#endif
