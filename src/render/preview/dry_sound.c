/* SPDX-License-Identifier: MIT */
#include "render/preview/dry_sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "dsp/resample.h"
#include "io/audio_file.h"

static int make(struct dry_sound *d, size_t frames, struct error *e)
{
    d->frames = frames;
    d->samples = calloc(frames, sizeof *d->samples);
    return d->samples ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

int dry_sound_read(struct dry_sound *d, const char *path, double rate, struct error *e)
{
    struct audio audio;
    double *mono = NULL, *resampled = NULL;
    size_t frames = 0;
    memset(d, 0, sizeof *d);
    if (audio_read(&audio, path, e))
        return -1;
    int status = (mono = calloc(audio.frames, sizeof *mono)) ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < audio.frames * audio.channels; i++)
        mono[i % audio.frames] += audio.samples[i] / (double)audio.channels;
    status = status || resample(&resampled, &frames, mono, audio.frames, audio.rate, rate, e) || make(d, frames, e);
    for (size_t n = 0; !status && n < frames; n++)
        d->samples[n] = (float)resampled[n];
    free(mono);
    free(resampled);
    audio_free(&audio);
    return status ? -1 : 0;
}

int dry_sound_clicks(struct dry_sound *d, double rate, struct error *e)
{
    if (make(d, (size_t)rate, e))
        return -1;
    const size_t length = (size_t)(0.002 * rate);
    for (size_t n = 0; n < length; n++) /* a raised cosine of 2 ms */
        d->samples[n] = 0.5f * (float)(0.5 - 0.5 * cos(2.0 * M_PI * ((double)n + 0.5) / (double)length));
    return 0;
}

int dry_sound_noise(struct dry_sound *d, double rate, struct error *e)
{
    static const double seconds = 4.0, corner = 500.0, level = 0.1;
    struct random random = {1};
    double low = 0.0, power = 0.0;
    if (make(d, (size_t)(seconds * rate), e))
        return -1;
    const double share = 1.0 - exp(-2.0 * M_PI * corner / rate);
    for (size_t n = 0; n < d->frames; n++) {
        low += share * (random_unit(&random) - 0.5 - low);
        d->samples[n] = (float)low;
        power += low * low / (double)d->frames;
    }
    for (size_t n = 0; n < d->frames; n++)
        d->samples[n] *= (float)(level / sqrt(power));
    return 0;
}

void dry_sound_free(struct dry_sound *d)
{
    free(d->samples);
    memset(d, 0, sizeof *d);
}
