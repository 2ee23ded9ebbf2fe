/* SPDX-License-Identifier: MIT */
#include "geometry/mesh.h"

#include <stdlib.h>
#include <string.h>

void mesh_free(struct mesh *m)
{
    for (size_t i = 0; i < m->material_count; i++)
        free(m->materials[i]);
    free(m->materials);
    free(m->triangles);
    free(m->vertices);
    memset(m, 0, sizeof *m);
}
