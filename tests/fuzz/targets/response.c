/* SPDX-License-Identifier: MIT */
/* A sound file that is measured as a response, the JSON beside it behind a byte 0x0c. A checksum in the JSON is made that of
 * the sound. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "dsp/measure/recording.h"
#include "harness.h"

static const char member[] = "\"checksum\": \"";

/* Where the JSON begins: the last 0x0c that a `{` follows; `size`: there is none. */
static size_t find_json(const uint8_t *data, size_t size)
{
    for (size_t at = size; at-- > 1;)
        if (data[at] == '{' && data[at - 1] == 0x0c)
            return at;
    return size;
}

static void write_json(const uint8_t *json, size_t size, const uint8_t *sound, size_t sound_size)
{
    uint8_t *text = (uint8_t *)harness_text(json, size);
    uint8_t *at = memmem(text, size, member, sizeof member - 1);
    if (at && (size_t)(text + size - at) >= sizeof member + CHECKSUM_TEXT) {
        struct sha256 sum;
        char checksum[CHECKSUM_TEXT];
        sha256_start(&sum);
        sha256_add(&sum, sound, sound_size);
        sha256_finish(&sum, checksum);
        memcpy(at + sizeof member - 1, checksum, CHECKSUM_TEXT - 1);
    }
    harness_write("response.json", text, size);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t json = find_json(data, size), sound = json < size ? json - 1 : size;
    struct recording r;
    struct error e;
    if (json < size)
        write_json(data + json, size - json, data, sound);
    else
        unlink(harness_path("response.json"));
    if (!recording_read(&r, harness_write("response.wav", data, sound), &e))
        recording_free(&r);
    return 0;
}
