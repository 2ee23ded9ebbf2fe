/* SPDX-License-Identifier: MIT */
/* A path as a CSV table. */
#include "render/moving/walk.h"
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct walk walk;
    struct error e;
    double position[3], turn[3];
    if (walk_read(&walk, harness_write("walk.csv", data, size), &e))
        return 0;
    for (size_t i = 0; i < walk.count; i++)
        walk_at(&walk, walk.rows[i].time + 0.01, position, turn);
    walk_free(&walk);
    return 0;
}
