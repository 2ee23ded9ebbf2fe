/* SPDX-License-Identifier: MIT */
#include "io/wav_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/input_file.h"
#include "base/stop.h"

enum { CODING_PCM = 1, CODING_FLOAT = 3, CODING_EXTENSIBLE = 0xfffe, CHUNK = 8, RIFF_HEADER = 12, PIECE = 1 << 24 };

static uint64_t little(const unsigned char *bytes, size_t count)
{
    uint64_t value = 0;
    while (count--)
        value = value << 8 | bytes[count];
    return value;
}

static void put_little(unsigned char **at, uint64_t value, size_t count)
{
    for (; count--; value >>= 8)
        *(*at)++ = (unsigned char)value;
}

static void put_name(unsigned char **at, const char name[4])
{
    memcpy(*at, name, 4);
    *at += 4;
}

/* The whole file; its length in *count. */
static int read_whole(unsigned char **bytes, size_t *count, const char *path, struct error *e)
{
    struct stat status;
    FILE *f = input_file_stream(path, e);
    if (!f)
        return -1;
    int result = fstat(fileno(f), &status) ? fail(e, ERROR_INPUT, "%s: cannot read", path) : 0;
    *count = result ? 0 : (size_t)status.st_size;
    *bytes = result ? NULL : malloc(*count + 1);
    if (!result && !*bytes)
        result = fail(e, ERROR_MEMORY, "%s: out of memory", path);
    for (size_t done = 0, got; done < *count && !result; done += got) {
        got = fread(*bytes + done, 1, *count - done < PIECE ? *count - done : PIECE, f);
        result = !got ? fail(e, ERROR_INPUT, "%s: cannot read", path) : stop_check(e);
    }
    fclose(f);
    return result;
}

/* Reads the fmt chunk. False: of another form. */
static bool read_format(struct wav_image *w, const unsigned char *chunk, uint64_t length)
{
    if (length < 16)
        return false;
    w->coding = (uint16_t)little(chunk, 2);
    w->channels = (size_t)little(chunk + 2, 2);
    w->rate = (uint32_t)little(chunk + 4, 4);
    w->sample_bytes = (size_t)little(chunk + 14, 2) / 8;
    if (w->coding == CODING_EXTENSIBLE && length >= 26)
        w->coding = (uint16_t)little(chunk + 24, 2); /* the begin of its GUID */
    return (w->coding == CODING_PCM || w->coding == CODING_FLOAT) && w->channels && w->sample_bytes &&
           w->sample_bytes <= 8;
}

/* Finds format and samples. An RF64 file has the length of its data in the chunk ds64. False: it is no such file. */
static bool parse(struct wav_image *w, size_t count)
{
    const unsigned char *at = w->bytes, *end = w->bytes + count;
    uint64_t data_length = 0;
    bool has_format = false;
    if (count < RIFF_HEADER || (memcmp(at, "RIFF", 4) != 0 && memcmp(at, "RF64", 4) != 0) ||
        memcmp(at + 8, "WAVE", 4) != 0)
        return false;
    for (at += RIFF_HEADER; end - at >= CHUNK;) {
        uint64_t length = little(at + 4, 4);
        const unsigned char *inside = at + CHUNK;
        const uint64_t left = (uint64_t)(end - inside);
        if (!memcmp(at, "data", 4)) {
            length = length == UINT32_MAX && data_length ? data_length : length;
            if (!has_format || length > left)
                return false;
            w->samples = inside;
            w->frames = (size_t)(length / (w->channels * w->sample_bytes));
            return true;
        }
        if (length > left)
            return false;
        if (!memcmp(at, "ds64", 4) && length >= 16)
            data_length = little(inside + 8, 8);
        if (!memcmp(at, "fmt ", 4)) {
            has_format = read_format(w, inside, length);
            if (!has_format)
                return false;
        }
        at = length + (length & 1) > left ? end : inside + length + (length & 1);
    }
    return false;
}

int wav_image_read(struct wav_image *w, const char *path, struct error *e)
{
    size_t count;
    *w = (struct wav_image){.bytes = NULL};
    if (read_whole(&w->bytes, &count, path, e))
        return -1;
    return parse(w, count) ? 0
                           : fail(e, ERROR_INPUT, "%s: is not a WAV file of aula; remove it and render again", path);
}

void wav_image_free(struct wav_image *w)
{
    free(w->bytes);
    *w = (struct wav_image){.bytes = NULL};
}

int wav_image_take(unsigned char **bytes, size_t *count, const struct wav_image *w, size_t first, size_t channels,
                   struct error *e)
{
    const size_t frame = channels * w->sample_bytes, stride = w->channels * w->sample_bytes;
    const uint64_t data = (uint64_t)w->frames * frame;
    const bool has_fact = w->coding == CODING_FLOAT;
    const size_t header = has_fact ? 56 : 44;
    *bytes = NULL;
    if (data + header > UINT32_MAX - 16)
        return fail(e, ERROR_FAILED, "a response of %zu channels exceeds the 4 GB of a WAV file", channels);
    *count = header + (size_t)data + (size_t)(data & 1);
    *bytes = calloc(*count, 1);
    if (!*bytes)
        return fail(e, ERROR_MEMORY, "out of memory");
    unsigned char *at = *bytes;
    put_name(&at, "RIFF");
    put_little(&at, *count - CHUNK, 4);
    put_name(&at, "WAVE");
    put_name(&at, "fmt ");
    put_little(&at, 16, 4);
    put_little(&at, w->coding, 2);
    put_little(&at, channels, 2);
    put_little(&at, w->rate, 4);
    put_little(&at, w->rate * frame, 4);
    put_little(&at, frame, 2);
    put_little(&at, 8 * w->sample_bytes, 2);
    if (has_fact) {
        put_name(&at, "fact");
        put_little(&at, 4, 4);
        put_little(&at, w->frames, 4);
    }
    put_name(&at, "data");
    put_little(&at, data, 4);
    const unsigned char *from = w->samples + first * w->sample_bytes;
    for (size_t i = 0; i < w->frames; i++, at += frame, from += stride)
        memcpy(at, from, frame);
    return 0;
}
