/* SPDX-License-Identifier: MIT */
/* The interface of importers of formats other than OBJ. They run only in a child process
 * (geometry/mesh_import.h), so they may crash. A build without the library contains a stub. */
#ifndef AULA_GEOMETRY_IMPORTER_H
#define AULA_GEOMETRY_IMPORTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "geometry/mesh.h"

struct mesh_importer {
    const char *name;
    const char *(*unavailable)(void);          /* why it is not here; NULL: it is */
    void (*describe)(char *text, size_t size); /* version and formats */
    /* As the library gives it: DAE and IFC in metres and y up, others as in the file. `file_axes`: DAE with the axes of
     * its coordinates, whatever it says of them. Faces without a material have the name of their part, or "". */
    int (*import)(struct mesh_builder *b, const char *path, bool file_axes, struct error *e);
    bool reads_others; /* files that the model names, so that its own size does not bound the work */
};

extern const struct mesh_importer mesh_importer; /* geometry/assimp/assimp.c or absent.c */
extern const struct mesh_importer gltf_importer; /* geometry/gltf/ */

#endif
