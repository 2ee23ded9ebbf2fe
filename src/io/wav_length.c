/* SPDX-License-Identifier: MIT */
#include "io/wav_length.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNKS_MAX = 1000, HEAD = 8 };

static uint32_t length_of(const unsigned char head[HEAD], bool big_endian)
{
    uint32_t length = 0;
    for (int i = 0; i < 4; i++)
        length = length << 8 | head[big_endian ? 4 + i : 7 - i];
    return length;
}

off_t wav_missing_length(int descriptor)
{
    unsigned char head[HEAD], form[4];
    struct stat status;
    if (fstat(descriptor, &status) || pread(descriptor, head, HEAD, 0) != HEAD ||
        pread(descriptor, form, sizeof form, HEAD) != sizeof form)
        return 0;
    const bool big_endian = !memcmp(head, "RIFX", 4);
    if ((memcmp(head, "RIFF", 4) != 0 && !big_endian) || memcmp(form, "WAVE", 4) != 0)
        return 0;
    const off_t counted = (off_t)length_of(head, big_endian) + HEAD;
    off_t at = HEAD + (off_t)sizeof form;
    for (int i = 0; i < CHUNKS_MAX && pread(descriptor, head, HEAD, at) == HEAD; i++) {
        const off_t length = length_of(head, big_endian);
        if (!memcmp(head, "data", 4))
            return !length && at + HEAD < status.st_size && counted < status.st_size ? at + 4 : 0;
        at += HEAD + length + (length & 1);
    }
    return 0;
}

bool wav_set_endless(int descriptor, off_t length_at)
{
    static const unsigned char unknown[4] = {0xff, 0xff, 0xff, 0xff};
    return pwrite(descriptor, unknown, sizeof unknown, length_at) == sizeof unknown;
}
