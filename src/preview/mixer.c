#include "preview/mixer.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

static const double fade_seconds = 0.05; /* over to a new response */
static const double ramp_seconds = 0.01; /* of a gain that a key changed */
static const double oldest_input = 0.1;  /* s that recorded sound may wait */

/* How much of each receiver and of the dry sound goes to each ear. */
struct gains {
    float wet[MIXER_EARS][MIXER_RECEIVERS_MOST];
    float dry;
};

struct mixer {
    struct mixer_settings settings;
    pthread_t thread;
    /* set by others */
    _Atomic(struct convolver *) offered;
    atomic_int receiver;
    atomic_bool dry, paused, quit, heard, failed;
    _Atomic float level, wet_gain, peak, load;
    atomic_ullong blocks;
    struct error error; /* before `failed` is set */
    /* the thread's own */
    struct convolver *now, *next; /* next: being faded to */
    size_t faded;                 /* frames of it */
    size_t position;              /* in the dry sound */
    struct gains gains;
    float *in, *wet[MIXER_RECEIVERS_MOST], *fresh[MIXER_RECEIVERS_MOST], *out;
    float *memory;
};

static struct gains wanted_gains(struct mixer *m)
{
    struct gains g = {.dry = 0.0f};
    const int receiver = atomic_load(&m->receiver);
    if (atomic_load(&m->paused) || atomic_load(&m->quit))
        return g;
    const float level = atomic_load(&m->level), wet = level * atomic_load(&m->wet_gain);
    if (atomic_load(&m->dry)) {
        g.dry = level;
        return g;
    }
    for (size_t ear = 0; ear < MIXER_EARS; ear++) {
        const size_t both = ear < m->settings.receivers ? ear : 0;
        g.wet[ear][receiver >= 0 ? (size_t)receiver : both] = wet;
    }
    return g;
}

static float towards(float from, float to, float step)
{
    return from < to ? fminf(from + step, to) : fmaxf(from - step, to);
}

/* The wet sound of this block into m->wet, through the response in use and the one that replaces it. */
static void convolve_block(struct mixer *m)
{
    const size_t block = m->settings.block, fade = (size_t)(fade_seconds * m->settings.rate);
    const float *in = m->in;
    if (!m->next && (m->next = atomic_exchange(&m->offered, NULL)) != NULL) {
        m->faded = 0;
        if (m->now)
            convolver_take_history(m->next, m->now);
    }
    if (m->now)
        convolver_run(m->now, &in, m->wet);
    if (!m->next)
        return;
    convolver_run(m->next, &in, m->fresh);
    for (size_t r = 0; r < m->settings.receivers; r++)
        for (size_t n = 0; n < block; n++) {
            const float share = fminf(1.0f, (float)(m->faded + n) / (float)fade), old = m->now ? m->wet[r][n] : 0.0f;
            m->wet[r][n] = old + share * (m->fresh[r][n] - old);
        }
    m->faded += block;
    atomic_store(&m->heard, true);
    if (m->faded < fade)
        return;
    convolver_free(m->now);
    m->now = m->next;
    m->next = NULL;
}

static void wet_block(struct mixer *m)
{
    struct error e;
    if (!m->settings.live.run) {
        convolve_block(m);
    } else if (!atomic_load(&m->failed)) {
        if (m->settings.live.run(m->settings.live.context, m->in, m->wet, &e)) {
            m->error = e;
            atomic_store(&m->failed, true);
            for (size_t r = 0; r < m->settings.receivers; r++)
                memset(m->wet[r], 0, m->settings.block * sizeof **m->wet);
        } else {
            atomic_store(&m->heard, true);
        }
    }
}

/* m->in and m->wet to m->out, gains moving to where they are wanted. */
static void mix_block(struct mixer *m)
{
    const struct gains to = wanted_gains(m);
    const float step = 1.0f / (float)(ramp_seconds * m->settings.rate);
    const float scale = fmaxf(1.0f, atomic_load(&m->wet_gain)); /* a large gain moves in larger steps */
    float peak = 0.0f;
    for (size_t n = 0; n < m->settings.block; n++) {
        m->gains.dry = towards(m->gains.dry, to.dry, step);
        for (size_t ear = 0; ear < MIXER_EARS; ear++) {
            float sum = m->gains.dry * m->in[n];
            for (size_t r = 0; r < m->settings.receivers; r++) {
                float *gain = &m->gains.wet[ear][r];
                *gain = towards(*gain, to.wet[ear][r], step * scale);
                sum += *gain * m->wet[r][n];
            }
            m->out[MIXER_EARS * n + ear] = sum;
            peak = fmaxf(peak, fabsf(sum));
        }
    }
    if (peak > atomic_load(&m->peak))
        atomic_store(&m->peak, peak);
}

/* What is recorded, without what is too old to be live. */
static bool take_input(struct mixer *m)
{
    const struct mixer_settings *s = &m->settings;
    const size_t old = (size_t)(oldest_input * s->rate) + 2 * s->block;
    while (player_recorded(s->player) > old)
        player_read(s->player, m->in, s->block);
    return player_recorded(s->player) >= s->block && player_read(s->player, m->in, s->block) == s->block;
}

static bool is_silent(const struct gains *g)
{
    bool silent = g->dry == 0.0f;
    for (size_t i = 0; i < MIXER_EARS * MIXER_RECEIVERS_MOST; i++)
        silent = silent && g->wet[i / MIXER_RECEIVERS_MOST][i % MIXER_RECEIVERS_MOST] == 0.0f;
    return silent;
}

/* A block of dry sound into m->in; false when there is none yet. A stop holds the file where it is once nothing is heard
 * any more, and the room dies away meanwhile. */
static bool take_block(struct mixer *m)
{
    const struct mixer_settings *s = &m->settings;
    if (!s->dry)
        return take_input(m);
    if (atomic_load(&m->paused) && is_silent(&m->gains)) {
        memset(m->in, 0, s->block * sizeof *m->in);
        return true;
    }
    for (size_t n = 0; n < s->block; n++) {
        m->in[n] = s->dry[m->position];
        m->position = (m->position + 1) % s->dry_frames;
    }
    return true;
}

static void pause_a_little(void)
{
    const struct timespec time = {0, 500000};
    nanosleep(&time, NULL);
}

static void *run(void *context)
{
    struct mixer *m = context;
    const struct mixer_settings *s = &m->settings;
    const double there_is = (double)s->block / s->rate;
    const size_t ahead = (size_t)(s->ahead * s->rate), ring = player_space(s->player);
    enum { PATIENCE = 400 }; /* pauses at the end, for a device that takes no more */
    for (size_t last = 0, waited = 0; last < 2 && waited < PATIENCE;) {
        const size_t space = player_space(s->player);
        if (space < s->block || (s->dry && ring - space >= ahead && ring - space >= s->block) || !take_block(m)) {
            pause_a_little();
            waited += atomic_load(&m->quit);
            continue;
        }
        const double start = clock_seconds();
        last += atomic_load(&m->quit); /* one more block: the fade to silence */
        wet_block(m);
        mix_block(m);
        player_write(s->player, m->out, s->block);
        const float load = (float)((clock_seconds() - start) / there_is);
        atomic_store(&m->load, atomic_load(&m->load) + 0.02f * (load - atomic_load(&m->load)));
        atomic_fetch_add(&m->blocks, 1);
    }
    return NULL;
}

int mixer_start(struct mixer **out, const struct mixer_settings *s, struct error *e)
{
    struct mixer *m = calloc(1, sizeof *m);
    const size_t rows = 1 + 2 * s->receivers + MIXER_EARS;
    *out = NULL;
    if (!m || !(m->memory = calloc(rows * s->block, sizeof *m->memory))) {
        free(m);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    m->settings = *s;
    m->in = m->memory;
    m->out = m->memory + s->block;
    for (size_t r = 0; r < s->receivers; r++) {
        m->wet[r] = m->memory + (1 + MIXER_EARS + r) * s->block;
        m->fresh[r] = m->wet[r] + s->receivers * s->block;
    }
    atomic_store(&m->receiver, -1);
    atomic_store(&m->level, 1.0f);
    atomic_store(&m->wet_gain, 1.0f);
    if (pthread_create(&m->thread, NULL, run, m)) {
        free(m->memory);
        free(m);
        return fail(e, ERROR_FAILED, "no thread for the sound");
    }
    *out = m;
    return 0;
}

void mixer_end(struct mixer *m)
{
    if (!m)
        return;
    atomic_store(&m->quit, true);
    pthread_join(m->thread, NULL);
}

void mixer_free(struct mixer *m)
{
    if (!m)
        return;
    convolver_free(m->now);
    convolver_free(m->next);
    convolver_free(atomic_load(&m->offered));
    free(m->memory);
    free(m);
}

void mixer_offer(struct mixer *m, struct convolver *convolver)
{
    convolver_free(atomic_exchange(&m->offered, convolver));
}

void mixer_choose(struct mixer *m, int receiver)
{
    atomic_store(&m->receiver, receiver);
}

void mixer_set_dry(struct mixer *m, bool dry)
{
    atomic_store(&m->dry, dry);
}

void mixer_set_paused(struct mixer *m, bool paused)
{
    atomic_store(&m->paused, paused);
}

void mixer_set_level(struct mixer *m, double decibels)
{
    atomic_store(&m->level, (float)pow(10.0, 0.05 * decibels));
}

void mixer_set_wet_gain(struct mixer *m, double gain)
{
    atomic_store(&m->wet_gain, (float)gain);
}

struct mixer_status mixer_status(struct mixer *m)
{
    struct mixer_status status = {.load = (double)atomic_load(&m->load),
                                  .peak = (double)atomic_exchange(&m->peak, 0.0f),
                                  .blocks = atomic_load(&m->blocks),
                                  .heard = atomic_load(&m->heard),
                                  .failed = atomic_load(&m->failed)};
    if (status.failed)
        status.error = m->error;
    return status;
}
