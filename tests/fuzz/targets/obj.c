/* SPDX-License-Identifier: MIT */
/* A model in OBJ, and what prepares it for a room. */
#include "geometry/mesh_read.h"

#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct mesh_options options = {.unit = MESH_UNIT_M};
    struct mesh m;
    struct error e;
    if (!mesh_read(&m, harness_write("model.obj", data, size), &options, &e))
        mesh_free(&m);
    return 0;
}
