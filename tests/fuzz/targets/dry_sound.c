/* SPDX-License-Identifier: MIT */
/* A sound file that is played in a room. */
#include <stdlib.h>

#include "harness.h"
#include "io/audio_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct audio audio;
    char *comment = NULL;
    struct error e;
    if (!audio_read_with_comment(&audio, &comment, harness_write("dry.wav", data, size), &e))
        audio_free(&audio);
    free(comment);
    free(audio_title(harness_path("dry.wav")));
    return 0;
}
