/* SPDX-License-Identifier: MIT */
#include "io/wav_header.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNKS_MAX = 1000, ENTRIES_MAX = 100000, HEAD = 8, FIRST_CHUNK = HEAD + 4 };

static uint32_t length_of(const unsigned char head[HEAD], bool big_endian)
{
    uint32_t length = 0;
    for (int i = 0; i < 4; i++)
        length = length << 8 | head[big_endian ? 4 + i : 7 - i];
    return length;
}

struct wav {
    int descriptor;
    bool big_endian;
    off_t counted; /* bytes of the file, as its header has it */
};

static bool is_wav(struct wav *w, int descriptor)
{
    unsigned char head[HEAD], form[4];
    if (pread(descriptor, head, HEAD, 0) != HEAD || pread(descriptor, form, sizeof form, HEAD) != sizeof form)
        return false;
    const bool big_endian = !memcmp(head, "RIFX", 4);
    *w = (struct wav){descriptor, big_endian, (off_t)length_of(head, big_endian) + HEAD};
    return (!memcmp(head, "RIFF", 4) || big_endian) && !memcmp(form, "WAVE", 4);
}

/* Where the next chunk or entry begins. */
static off_t after(off_t at, off_t length)
{
    return at + HEAD + length + (length & 1);
}

off_t wav_missing_length(int descriptor)
{
    unsigned char head[HEAD];
    struct stat status;
    struct wav w;
    if (fstat(descriptor, &status) || !is_wav(&w, descriptor))
        return 0;
    off_t at = FIRST_CHUNK;
    for (int i = 0; i < CHUNKS_MAX && pread(descriptor, head, HEAD, at) == HEAD; i++) {
        const off_t length = length_of(head, w.big_endian);
        if (!memcmp(head, "data", 4))
            return !length && at + HEAD < status.st_size && w.counted < status.st_size ? at + 4 : 0;
        at = after(at, length);
    }
    return 0;
}

/* `end`: of the list or of the file, whichever is first. More entries than are looked at count as one that overflows. */
static bool entries_overflow(const struct wav *w, off_t at, off_t end)
{
    unsigned char head[HEAD];
    for (int i = 0; at + HEAD <= end && pread(w->descriptor, head, HEAD, at) == HEAD; i++) {
        const off_t length = length_of(head, w->big_endian);
        if (i == ENTRIES_MAX || at + HEAD + length > end)
            return true;
        at = after(at, length);
    }
    return false;
}

bool wav_list_overflows(int descriptor)
{
    enum { KIND = 4 };
    unsigned char head[HEAD];
    struct stat status;
    struct wav w;
    if (fstat(descriptor, &status) || !is_wav(&w, descriptor))
        return false;
    off_t at = FIRST_CHUNK;
    for (int i = 0; i < ENTRIES_MAX && pread(descriptor, head, HEAD, at) == HEAD; i++) {
        const off_t length = length_of(head, w.big_endian), end = at + HEAD + length;
        if (!memcmp(head, "LIST", 4) &&
            entries_overflow(&w, at + HEAD + KIND, end < status.st_size ? end : status.st_size))
            return true;
        at = after(at, length);
    }
    return false;
}

bool wav_set_endless(int descriptor, off_t length_at)
{
    static const unsigned char unknown[4] = {0xff, 0xff, 0xff, 0xff};
    return pwrite(descriptor, unknown, sizeof unknown, length_at) == sizeof unknown;
}

const char *const format_names[FORMAT_PCM16 + 1] = {
    [FORMAT_FLOAT] = "float", [FORMAT_DOUBLE] = "double", [FORMAT_PCM24] = "pcm24", [FORMAT_PCM16] = "pcm16"};
