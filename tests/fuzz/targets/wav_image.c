/* SPDX-License-Identifier: MIT */
/* A WAV file of a data set, of which channels are taken. */
#include <stdlib.h>

#include "harness.h"
#include "io/wav_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wav_image image;
    unsigned char *bytes;
    size_t count;
    struct error e;
    if (!wav_image_read(&image, harness_write("room.wav", data, size), &e)) {
        if (!wav_image_take(&bytes, &count, &image, image.channels / 2, image.channels - image.channels / 2, &e))
            free(bytes);
    }
    wav_image_free(&image);
    return 0;
}
