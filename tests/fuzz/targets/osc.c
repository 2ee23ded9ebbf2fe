/* SPDX-License-Identifier: MIT */
/* A packet of Open Sound Control. */
#include "render/preview/head_tracker.h"

#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct head_pose pose = {.yaw = 0.0};
    osc_read_pose(&pose, data, size);
    return 0;
}
