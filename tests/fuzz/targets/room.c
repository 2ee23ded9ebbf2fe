/* SPDX-License-Identifier: MIT */
/* A room file, which may include the pieces that follow it: 1.cfg, 2.cfg, 3.cfg. */
#include <stdio.h>
#include <unistd.h>

#include "harness.h"
#include "room/room.h"

enum { PIECES = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *piece = data;
    size_t length;
    struct room *room;
    struct error e;
    for (int i = 0; i < PIECES; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d.cfg", i);
        const uint8_t *bytes = harness_piece(&piece, &size, &length);
        if (bytes)
            harness_write(name, bytes, length);
        else
            unlink(harness_path(name));
    }
    room_read(&room, harness_path("0.cfg"), NULL, 0, &e);
    room_free(room);
    return 0;
}
