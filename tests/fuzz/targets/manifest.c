/* SPDX-License-Identifier: MIT */
/* The manifest of a data set of which one sound is there: read, put into order, and made into a table. */
#include "render/batch/manifest.h"

#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char key[] = "room.size", path[] = "plan.cfg";
    struct variation varied = {.key = key, .width = 3};
    const struct plan plan = {.path = path, .count = 4, .variations = &varied, .variation_count = 1};
    struct manifest m;
    struct error e;
    static bool begun;
    if (!begun)
        harness_write("rooms/0000/room_0000001.wav", "RIFF", 4);
    begun = true;
    harness_write("manifest.jsonl", data, size);
    if (!manifest_open(&m, &plan, harness_path("."), "manifest", MANIFEST_VERIFY, &e))
        manifest_finish(&m, &e);
    manifest_close(&m);
    return 0;
}
