/* SPDX-License-Identifier: MIT */
/* Stub for builds without assimp, which read meshes from OBJ and glTF only. */
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
