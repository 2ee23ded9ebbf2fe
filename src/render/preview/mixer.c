/* SPDX-License-Identifier: MIT */
#include "render/preview/mixer.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "render/preview/level.h"

static const double fade_seconds = 0.05; /* of the cross-fade to a new response */
static const double ramp_seconds = 0.01; /* of a gain changed by a key */

enum { MIXED_MAX = MIXER_RECEIVERS_MAX + MIXER_EARS }; /* receivers, and the ears of the head */

/* A response and its gain. */
struct wet_response {
    struct convolver *convolver;
    double gain;
    struct wet_response *older; /* next in the list of retired responses */
};

/* Gains of each receiver and of the dry sound at each ear. */
struct gains {
    float wet[MIXER_EARS][MIXED_MAX];
    float dry;
};

struct mixer {
    struct mixer_settings settings;
    /* written by other threads */
    _Atomic(struct wet_response *) offered;
    atomic_int receiver;
    atomic_bool dry, paused, ended;
    _Atomic float level;
    /* read by other threads */
    _Atomic(struct wet_response *) done; /* retired, to be freed by the offering thread */
    atomic_bool in_use, failed;
    _Atomic float peak, gain_min, shown_min; /* of the limiter: since the beginning; since mixer_reduction */
    atomic_ullong frames, limited;
    struct error error; /* valid once `failed` is set */
    /* of the sound thread */
    struct wet_response *now, *waiting, *next; /* waiting: for a lower wet_gain; next: fading in */
    size_t faded;                              /* frames of that fade */
    double wet_gain;
    struct gains gains;
    struct limiter *limiter;
    float *wet[LISTENED_MAX], *fresh[LISTENED_MAX]; /* receivers, then the field */
    float *heard[MIXED_MAX];                        /* receivers, then the ears of the head */
    float *memory;
};

static void free_responses(struct wet_response *h)
{
    while (h) {
        struct wet_response *older = h->older;
        convolver_free(h->convolver);
        free(h);
        h = older;
    }
}

static struct gains target_gains(struct mixer *m)
{
    struct gains g = {.dry = 0.0f};
    const int receiver = atomic_load(&m->receiver);
    if (atomic_load(&m->paused) || atomic_load(&m->ended))
        return g;
    const float level = atomic_load(&m->level);
    if (atomic_load(&m->dry)) {
        g.dry = level;
        return g;
    }
    for (size_t ear = 0; ear < MIXER_EARS; ear++) {
        const size_t both = m->settings.head ? m->settings.receivers + ear : ear < m->settings.receivers ? ear : 0;
        g.wet[ear][receiver >= 0 ? (size_t)receiver : both] = level;
    }
    return g;
}

static float towards(float from, float to, float step)
{
    return from < to ? fminf(from + step, to) : fmaxf(from - step, to);
}

/* Of the convolver or the live engine. */
static size_t signals_of(const struct mixer *m)
{
    return m->settings.receivers + m->settings.field;
}

/* Another thread frees retired responses, because freeing may wait. */
static void retire(struct mixer *m, struct wet_response *h)
{
    if (!h)
        return;
    h->older = atomic_load(&m->done);
    while (!atomic_compare_exchange_weak(&m->done, &h->older, h))
        ;
}

/* Starts the cross-fade to the offered response once wet_gain is low enough for it. */
static void take_offer(struct mixer *m)
{
    struct wet_response *newest = m->next ? NULL : atomic_exchange(&m->offered, NULL);
    if (newest) {
        retire(m, m->waiting);
        m->waiting = newest;
    }
    if (m->next || !m->waiting || (m->now && m->wet_gain > m->waiting->gain))
        return;
    m->next = m->waiting;
    m->waiting = NULL;
    m->faded = 0;
    if (m->now)
        convolver_take_history(m->next->convolver, m->now->convolver);
    else
        m->wet_gain = m->next->gain; /* nothing was audible */
}

/* The wet sound of this block into m->wet, through the current response and its replacement. */
static void convolve_block(struct mixer *m, const float *in)
{
    const size_t block = m->settings.block, fade = (size_t)(fade_seconds * m->settings.rate);
    take_offer(m);
    if (m->now)
        convolver_run(m->now->convolver, &in, m->wet);
    if (!m->next)
        return;
    convolver_run(m->next->convolver, &in, m->fresh);
    for (size_t r = 0; r < signals_of(m); r++)
        for (size_t n = 0; n < block; n++) {
            const float share = fminf(1.0f, (float)(m->faded + n) / (float)fade), old = m->now ? m->wet[r][n] : 0.0f;
            m->wet[r][n] = old + share * (m->fresh[r][n] - old);
        }
    m->faded += block;
    atomic_store(&m->in_use, true);
    if (m->faded < fade)
        return;
    retire(m, m->now);
    m->now = m->next;
    m->next = NULL;
}

static void wet_block(struct mixer *m, const float *in)
{
    struct error e;
    if (!m->settings.live.run) {
        convolve_block(m, in);
    } else if (!atomic_load(&m->failed)) {
        if (m->settings.live.run(m->settings.live.context, in, m->wet, &e)) {
            m->error = e;
            atomic_store(&m->failed, true);
            for (size_t r = 0; r < signals_of(m); r++)
                memset(m->wet[r], 0, m->settings.block * sizeof **m->wet);
        } else {
            atomic_store(&m->in_use, true);
        }
    }
    if (m->settings.head)
        head_run(m->settings.head, (const float *const *)(m->wet + m->settings.receivers),
                 m->heard + m->settings.receivers);
}

/* The gain of the waiting response, else of the current one; constant during a fade. */
static double target_wet_gain(const struct mixer *m)
{
    return m->waiting ? m->waiting->gain : m->next || !m->now ? m->wet_gain : m->now->gain;
}

/* Mixes `in` and m->wet into out, with gains ramping to their targets. */
static void mix_block(struct mixer *m, const float *in, float *out)
{
    const size_t mixed = m->settings.receivers + (m->settings.head ? MIXER_EARS : 0);
    const struct gains to = target_gains(m);
    const float step = fmaxf(1.0f, atomic_load(&m->level)) / (float)(ramp_seconds * m->settings.rate);
    const double wet_to = target_wet_gain(m), rise = pow(10.0, 0.05 * MIXER_SLOPE / m->settings.rate),
                 fall = 1.0 / rise;
    for (size_t n = 0; n < m->settings.block; n++) {
        m->gains.dry = towards(m->gains.dry, to.dry, step);
        m->wet_gain = m->wet_gain < wet_to ? fmin(m->wet_gain * rise, wet_to) : fmax(m->wet_gain * fall, wet_to);
        for (size_t ear = 0; ear < MIXER_EARS; ear++) {
            float sum = m->gains.dry * in[n];
            for (size_t r = 0; r < mixed; r++) {
                float *gain = &m->gains.wet[ear][r];
                *gain = towards(*gain, to.wet[ear][r], step);
                sum += *gain * (float)m->wet_gain * m->heard[r][n];
            }
            out[MIXER_EARS * n + ear] = sum;
        }
    }
}

static void atomic_lower(_Atomic float *min, float value)
{
    float before = atomic_load(min);
    while (value < before && !atomic_compare_exchange_weak(min, &before, value))
        ;
}

void mixer_run(struct mixer *m, const float *in, float *out)
{
    wet_block(m, in);
    mix_block(m, in, out);
    const struct limiter_report report = limiter_run(m->limiter, out, m->settings.block);
    atomic_store(&m->peak, fmaxf(report.peak, atomic_load(&m->peak)));
    atomic_lower(&m->gain_min, report.gain);
    atomic_lower(&m->shown_min, report.gain);
    atomic_fetch_add(&m->limited, report.limited);
    atomic_fetch_add(&m->frames, m->settings.block);
}

bool mixer_is_silent(const struct mixer *m)
{
    bool silent = m->gains.dry == 0.0f;
    for (size_t i = 0; i < MIXER_EARS * MIXED_MAX; i++)
        silent = silent && m->gains.wet[i / MIXED_MAX][i % MIXED_MAX] == 0.0f;
    return silent && atomic_load(&m->paused);
}

size_t mixer_block(const struct mixer *m)
{
    return m->settings.block;
}

size_t mixer_tail(const struct mixer *m)
{
    return (size_t)ceil(ramp_seconds * m->settings.rate) + limiter_delay(m->limiter);
}

int mixer_make(struct mixer **out, const struct mixer_settings *s, struct error *e)
{
    struct mixer *m = calloc(1, sizeof *m);
    *out = NULL;
    const size_t signals = s->receivers + s->field;
    if (!m || !(m->memory = calloc((2 * signals + MIXER_EARS) * s->block, sizeof *m->memory))) {
        free(m);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    m->settings = *s;
    for (size_t r = 0; r < signals; r++) {
        m->wet[r] = m->memory + r * s->block;
        m->fresh[r] = m->wet[r] + signals * s->block;
    }
    for (size_t r = 0; r < s->receivers; r++)
        m->heard[r] = m->wet[r];
    for (size_t ear = 0; ear < MIXER_EARS; ear++)
        m->heard[s->receivers + ear] = m->memory + (2 * signals + ear) * s->block;
    m->wet_gain = s->live.run ? s->live.gain : 1.0;
    atomic_store(&m->receiver, -1);
    atomic_store(&m->level, 1.0f);
    atomic_store(&m->gain_min, 1.0f);
    atomic_store(&m->shown_min, 1.0f);
    if (limiter_make(&m->limiter, MIXER_EARS, s->rate, e)) {
        mixer_free(m);
        return -1;
    }
    *out = m;
    return 0;
}

void mixer_free(struct mixer *m)
{
    if (!m)
        return;
    free_responses(m->now);
    free_responses(m->waiting);
    free_responses(m->next);
    free_responses(atomic_load(&m->offered));
    free_responses(atomic_load(&m->done));
    limiter_free(m->limiter);
    free(m->memory);
    free(m);
}

int mixer_offer(struct mixer *m, struct convolver *convolver, double gain, struct error *e)
{
    struct wet_response *h = calloc(1, sizeof *h);
    free_responses(atomic_exchange(&m->done, NULL));
    if (!h) {
        convolver_free(convolver);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    *h = (struct wet_response){.convolver = convolver, .gain = gain};
    free_responses(atomic_exchange(&m->offered, h));
    return 0;
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

void mixer_end(struct mixer *m)
{
    atomic_store(&m->ended, true);
}

/* dB, never -0. */
static double reduction(float gain)
{
    return gain < 1.0f ? -20.0 * log10(fmax((double)gain, 1e-12)) : 0.0;
}

struct mixer_status mixer_status(struct mixer *m)
{
    struct mixer_status status = {.peak = (double)atomic_load(&m->peak),
                                  .reduction = reduction(atomic_load(&m->gain_min)),
                                  .limited = (double)atomic_load(&m->limited) / m->settings.rate,
                                  .seconds = (double)atomic_load(&m->frames) / m->settings.rate,
                                  .heard = atomic_load(&m->in_use),
                                  .failed = atomic_load(&m->failed)};
    if (status.failed)
        status.error = m->error;
    return status;
}

double mixer_reduction(struct mixer *m)
{
    return reduction(atomic_exchange(&m->shown_min, 1.0f));
}
