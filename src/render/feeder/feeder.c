/* SPDX-License-Identifier: MIT */
#include "render/feeder/feeder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

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
