/* SPDX-License-Identifier: MIT */
#include "render/preview/dry_sound.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
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

static const double input_age_max = 0.1; /* s: skips older recorded input */

struct feeder {
    struct feeder_settings settings;
    size_t block;
    pthread_t thread;
    atomic_bool quit;
    _Atomic float load;
    size_t position; /* in the dry sound */
    float *in, *out; /* [block], [block][MIXER_EARS] */
};

/* A block of recorded input; skips input that is too old. */
static bool take_input(struct feeder *f)
{
    const struct feeder_settings *s = &f->settings;
    const size_t old = (size_t)(input_age_max * s->rate) + 2 * f->block;
    while (player_recorded(s->player) > old)
        player_read(s->player, f->in, f->block);
    return player_recorded(s->player) >= f->block && player_read(s->player, f->in, f->block) == f->block;
}

/* A block of dry sound into f->in; false if none is available. Once a paused mixer has faded out,
 * the file stops and the room receives silence. */
static bool take_block(struct feeder *f)
{
    const struct feeder_settings *s = &f->settings;
    if (!s->dry)
        return take_input(f);
    if (mixer_is_silent(s->mixer)) {
        memset(f->in, 0, f->block * sizeof *f->in);
        return true;
    }
    for (size_t n = 0; n < f->block; n++) {
        f->in[n] = s->dry[f->position];
        f->position = (f->position + 1) % s->dry_frames;
    }
    return true;
}

static void pause_briefly(void)
{
    const struct timespec time = {0, 500000};
    nanosleep(&time, NULL);
}

static void *run(void *context)
{
    struct feeder *f = context;
    const struct feeder_settings *s = &f->settings;
    const double block_seconds = (double)f->block / s->rate;
    const size_t ahead = (size_t)(s->ahead * s->rate), ring = player_space(s->player);
    const size_t tail = mixer_tail(s->mixer);
    enum { PAUSES_MAX = 400 }; /* pauses at the end, in case the device does not read */
    for (size_t last = 0, waited = 0; last < tail && waited < PAUSES_MAX;) {
        const size_t space = player_space(s->player);
        if (space < f->block || (s->dry && ring - space >= ahead && ring - space >= f->block) || !take_block(f)) {
            pause_briefly();
            waited += atomic_load(&f->quit);
            continue;
        }
        const double start = clock_seconds();
        last += atomic_load(&f->quit) ? f->block : 0; /* counts the frames of the final fade */
        mixer_run(s->mixer, f->in, f->out);
        player_write(s->player, f->out, f->block);
        const float load = (float)((clock_seconds() - start) / block_seconds);
        atomic_store(&f->load, atomic_load(&f->load) + 0.02f * (load - atomic_load(&f->load)));
    }
    return NULL;
}

int feeder_start(struct feeder **out, const struct feeder_settings *s, struct error *e)
{
    struct feeder *f = calloc(1, sizeof *f);
    const size_t block = mixer_block(s->mixer);
    *out = NULL;
    if (!f || !(f->in = calloc((1 + MIXER_EARS) * block, sizeof *f->in))) {
        free(f);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    f->settings = *s;
    f->block = block;
    f->out = f->in + block;
    if (pthread_create(&f->thread, NULL, run, f)) {
        free(f->in);
        free(f);
        return fail(e, ERROR_FAILED, "cannot start a thread for the sound");
    }
    *out = f;
    return 0;
}

void feeder_end(struct feeder *f)
{
    if (!f)
        return;
    mixer_end(f->settings.mixer);
    atomic_store(&f->quit, true);
    pthread_join(f->thread, NULL);
    free(f->in);
    free(f);
}

double feeder_load(struct feeder *f)
{
    return (double)atomic_load(&f->load);
}
