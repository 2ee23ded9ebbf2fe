/* SPDX-License-Identifier: MIT */
/* A score as a CSV table, for a room with every instrument that ships. */
#include <stdlib.h>

#include "harness.h"
#include "render/synth/score_csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct room *room;
    struct event *events = NULL;
    size_t count;
    struct error e;
    if (!room && room_read_presets(&room, &e))
        abort();
    score_csv_read(&events, &count, room, harness_write("score.csv", data, size), &e);
    free(events);
    return 0;
}
