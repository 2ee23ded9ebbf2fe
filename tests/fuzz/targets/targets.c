/* SPDX-License-Identifier: MIT */
/* A file of targets, and verdicts about a room by each of them. */
#include <math.h>

#include "harness.h"
#include "room/targets/targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct target_room room = {.volume = 180.0, .sound_speed = 343.2, .noise = 40.0, .sti = 0.6};
    struct target_list list;
    struct error e;
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        room.measured[b] = (struct target_measured){.time = b ? 0.6 : NAN, .by = "T30", .places = 1};
    if (!targets_read(&list, harness_write("targets.cfg", data, size), &e))
        for (size_t i = 0; i < list.count; i++) {
            struct judgement j;
            target_judge(&j, &list.items[i], &room);
        }
    targets_free(&list);
    return 0;
}
