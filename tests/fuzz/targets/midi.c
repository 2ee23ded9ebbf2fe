/* SPDX-License-Identifier: MIT */
/* A Standard MIDI File. */
#include "render/synth/midi.h"
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct midi m;
    struct error e;
    midi_parse(&m, data, size, "fuzz.mid", &e);
    midi_free(&m);
    return 0;
}
