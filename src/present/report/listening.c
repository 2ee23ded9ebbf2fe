/* SPDX-License-Identifier: MIT */
#include "present/report/listening.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/resample.h"
#include "io/base64.h"
#include "io/xml.h"

enum { HEADER = 44 };
static const double FALLBACK_RATE = 48000.0; /* Hz */
static const double RATIO_MAX = 256.0;       /* limit of sample-rate conversion */
static const double FADE = 0.05;             /* s: fade-out of a truncated sound */

static void put(uint8_t **at, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *(*at)++ = (uint8_t)(value >> 8 * i);
}

static void put_header(uint8_t *at, size_t channels, size_t frames, double rate)
{
    const uint32_t data = (uint32_t)(2 * channels * frames), hertz = (uint32_t)lrint(rate);
    memcpy(at, "RIFF....WAVEfmt ", 16);
    at += 4;
    put(&at, data + HEADER - 8, 4);
    at += 8;
    put(&at, 16, 4);
    put(&at, 1, 2); /* PCM */
    put(&at, (uint32_t)channels, 2);
    put(&at, hertz, 4);
    put(&at, hertz * 2 * (uint32_t)channels, 4);
    put(&at, 2 * (uint32_t)channels, 2);
    put(&at, 16, 2);
    memcpy(at, "data", 4);
    at += 4;
    put(&at, data, 4);
}

static void put_channel(uint8_t *at, size_t channels, const double *samples, size_t frames, double gain, double fade)
{
    for (size_t n = 0; n < frames; n++, at += 2 * channels) {
        const double left = fade > 0.0 ? fmin(1.0, (double)(frames - n) / fade) : 1.0;
        const double value = fmin(1.0, fmax(-1.0, samples[n] * gain * left));
        uint8_t *sample = at;
        put(&sample, (uint32_t)(int32_t)lrint(value * 32767.0) & 0xffffu, 2);
    }
}

int player_wav(uint8_t **bytes, size_t *count, const struct audio *a, size_t first, size_t channels, double gain,
               struct error *e)
{
    const double longest = floor(PLAYER_LONGEST * a->rate);
    const size_t taken = (double)a->frames > longest ? (size_t)longest : a->frames;
    const double rate = a->rate >= 8000.0 && a->rate <= 96000.0 ? a->rate : FALLBACK_RATE;
    const size_t frames = resample_frames(taken, a->rate, rate);
    *count = HEADER + 2 * channels * frames;
    *bytes = malloc(*count);
    if (!*bytes)
        return fail(e, ERROR_MEMORY, "out of memory");
    put_header(*bytes, channels, frames, rate);
    for (size_t c = 0; c < channels; c++) {
        const double *samples = a->samples + (first + c) * a->frames;
        double *resampled = NULL;
        size_t got = taken;
        if (rate != a->rate && resample(&resampled, &got, samples, taken, a->rate, rate, e)) {
            free(*bytes);
            *bytes = NULL;
            return -1;
        }
        put_channel(*bytes + HEADER + 2 * c, channels, resampled ? resampled : samples, got, gain,
                    taken < a->frames ? FADE * rate : 0.0);
        free(resampled);
    }
    return 0;
}

int listening_write(FILE *stream, const struct audio *a, size_t first, size_t channels, double gain, const char *label,
                    struct error *e)
{
    uint8_t *bytes;
    size_t count;
    if (!(a->rate * RATIO_MAX >= FALLBACK_RATE && a->rate <= FALLBACK_RATE * RATIO_MAX)) {
        fprintf(stream, "<p>No player: browsers do not support a sample rate of %.4g Hz.</p>\n", a->rate);
        return 0;
    }
    if (player_wav(&bytes, &count, a, first, channels, gain, e))
        return -1;
    fputs("<audio controls preload=\"metadata\" aria-label=\"", stream);
    xml_text(stream, label);
    fputs("\" src=\"data:audio/wav;base64,", stream);
    base64_write(stream, bytes, count);
    fputs("\"></audio>\n", stream);
    free(bytes);
    return 0;
}
