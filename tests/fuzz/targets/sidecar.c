/* SPDX-License-Identifier: MIT */
/* The JSON beside a sound: as facts of a response, and as a room to render again. */
#include "render/sidecar.h"
#include "harness.h"
#include "room/room.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static double silence[2];
    const struct audio audio = {.samples = silence, .channels = 1, .frames = 2, .rate = 48000.0};
    struct sidecar_facts facts;
    struct room *room;
    struct error e;
    harness_write("sound.json", data, size);
    sidecar_read(&facts, harness_path("sound.wav"), &audio, &e);
    sidecar_facts_free(&facts);
    room_read(&room, harness_path("sound.json"), NULL, 0, &e);
    room_free(room);
    return 0;
}
