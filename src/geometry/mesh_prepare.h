/* SPDX-License-Identifier: MIT */
/* Converts a mesh to metres with z up. */
#ifndef AULA_GEOMETRY_MESH_PREPARE_H
#define AULA_GEOMETRY_MESH_PREPARE_H

#include <stdbool.h>

#include "base/error.h"
#include "geometry/mesh.h"

/* name, metres. The first: as the format says; OBJ, STL and PLY do not. */
#define MESH_UNITS(X)                                                                                                  \
    X(FILE, "file", 0.0)                                                                                               \
    X(M, "m", 1.0)                                                                                                     \
    X(CM, "cm", 0.01)                                                                                                  \
    X(MM, "mm", 0.001)                                                                                                 \
    X(INCH, "inch", 0.0254)                                                                                            \
    X(FT, "ft", 0.3048)

enum mesh_unit {
#define X(id, name, metres) MESH_UNIT_##id,
    MESH_UNITS(X)
#undef X
        MESH_UNIT_COUNT
};

/* Which axis of the file's coordinates points up; as the format says: z for OBJ, STL and PLY. */
enum mesh_up { MESH_UP_FILE, MESH_UP_Z, MESH_UP_Y, MESH_UP_COUNT };

extern const char *const mesh_unit_names[MESH_UNIT_COUNT];
extern const double mesh_unit_metres[MESH_UNIT_COUNT];
extern const char *const mesh_up_names[MESH_UP_COUNT];

/* Zeroed: all as the file says. */
struct mesh_options {
    enum mesh_unit unit;
    enum mesh_up up;
    bool flip; /* mirror it, x to -x: for models of programs whose axes are left-handed */
};

/* Turns y to z where it is up, (x, y, z) to (x, -z, y), mirrors and scales; a mirrored triangle keeps its front. The
 * unit and the axis must be given. The largest extent of what the triangles use has to be 1 m to 300 m: ERROR_INPUT
 * suggests a unit otherwise. `path` stands in messages. */
int mesh_prepare(struct mesh *m, const char *path, const struct mesh_options *o, struct error *e);

/* The bounds of the vertices that triangles use: lowest and highest corner. */
void mesh_bounds(const struct mesh *m, double least[3], double greatest[3]);

#endif
