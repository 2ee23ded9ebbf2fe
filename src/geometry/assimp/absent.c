/* SPDX-License-Identifier: MIT */
/* Stands in for assimp in a build without it: meshes are read from OBJ and glTF alone. */
#include <stdio.h>

#include "geometry/importer.h"

static const char *unavailable(void)
{
    return "this aula was built without assimp";
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "%s", unavailable());
}

/* Never asked to import: unavailable() gives a reason. */
const struct mesh_importer mesh_importer = {.name = "assimp", .unavailable = unavailable, .describe = describe};
