/* SPDX-License-Identifier: MIT */
#include "render/play/play_loop.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/stop.h"
#include "io/midi_input/midi_queue.h"
#include "render/play/controls.h"
#include "render/preview/level.h"

enum { PRIORITY = 5, PENDING_MAX = 256, LAST_PAUSES_MAX = 400 /* in case the sound card does not take the end */ };
static const double probe_seconds = 0.15; /* for which the sound card is watched */
static const double ahead_max = 0.25;     /* s kept ready after many underruns */
static const double ramp_seconds = 0.01;  /* of a change of level */
static const double lead_fall =
    0.01; /* s/s by which the lead is forgotten, so that an underrun delays notes for seconds only */

struct play_loop {
    struct play_loop_settings settings;
    struct limiter *limiter;
    pthread_t thread;
    struct midi_queue keys;       /* of play_loop_send */
    size_t ring, taken;           /* frames: of the ring; that the sound card takes at a time */
    unsigned long long underruns; /* at the last look */
    /* shared */
    atomic_bool quit, failed;
    _Atomic float level, load, reduction;
    atomic_ullong notes, unheard, late;
    atomic_size_t ahead; /* frames kept ready */
    struct error error;  /* valid once `failed` is set */
    /* of the thread */
    struct midi_packet pending[PENDING_MAX]; /* in the order of arrival */
    size_t pending_count;
    double lead; /* s: rate times (clock + lead) is a frame */
    size_t frame;
    float gain;
    float *mono, *wet[PLAY_EARS], *out; /* [block], [block], [block][PLAY_EARS] */
};

/* ---- messages */

static void collect(struct play_loop *l)
{
    struct midi_packet packet;
    while (l->pending_count < PENDING_MAX &&
           (midi_queue_read(&l->keys, &packet) || (l->settings.input && midi_input_read(l->settings.input, &packet))))
        l->pending[l->pending_count++] = packet;
}

static void take(struct play_loop *l, const struct midi_packet *packet, size_t frame)
{
    struct midi_message message;
    if (!midi_message_of(&message, packet->bytes, packet->count))
        return;
    const bool heard = controls_take(l->settings.performer, &message, frame);
    if (message.kind == MIDI_NOTE_ON)
        atomic_fetch_add(heard ? &l->notes : &l->unheard, 1);
}

/* Passes the messages of the next block to the performer. */
static void take_messages(struct play_loop *l)
{
    const struct play_loop_settings *s = &l->settings;
    const double ahead = (double)l->frame / s->rate - clock_seconds(), block = (double)s->block;
    l->lead = fmax(l->lead - lead_fall * block / s->rate, ahead);
    collect(l);
    size_t left = 0;
    for (size_t i = 0; i < l->pending_count; i++) {
        const double at = s->rate * (l->pending[i].time + l->lead) + block - (double)l->frame;
        if (at < block && !left)
            take(l, &l->pending[i], at > 0.0 ? (size_t)at : 0);
        else
            l->pending[left++] = l->pending[i];
    }
    l->pending_count = left;
}

/* ---- sound */

static void mix(struct play_loop *l)
{
    const struct play_loop_settings *s = &l->settings;
    const float to = atomic_load(&l->quit) ? 0.0f : atomic_load(&l->level),
                step = fmaxf(1.0f, atomic_load(&l->level)) / (float)(ramp_seconds * s->rate);
    const float wet = (float)s->wet_gain;
    if (s->convolver)
        convolver_run(s->convolver, &(const float *){l->mono}, l->wet);
    for (size_t n = 0; n < s->block; n++) {
        l->gain = l->gain < to ? fminf(l->gain + step, to) : fmaxf(l->gain - step, to);
        for (size_t ear = 0; ear < PLAY_EARS; ear++)
            l->out[PLAY_EARS * n + ear] = l->gain * (s->convolver ? wet * l->wet[ear][n] : l->mono[n]);
    }
    const struct limiter_report report = limiter_run(l->limiter, l->out, s->block);
    if (report.gain < atomic_load(&l->reduction))
        atomic_store(&l->reduction, report.gain);
}

static int play_block(struct play_loop *l, struct error *e)
{
    const struct play_loop_settings *s = &l->settings;
    const double begin = clock_seconds();
    take_messages(l);
    if (performer_run(s->performer, l->mono, e))
        return -1;
    mix(l);
    player_write(s->player, l->out, s->block);
    l->frame += s->block;
    const float load = (float)((clock_seconds() - begin) * s->rate / (double)s->block);
    atomic_store(&l->load, atomic_load(&l->load) + 0.003f * (load - atomic_load(&l->load)));
    if (load > 1.0f)
        atomic_fetch_add(&l->late, 1);
    return 0;
}

static void pause_briefly(void)
{
    nanosleep(&(const struct timespec){0, 300000}, NULL);
}

static size_t waiting(const struct play_loop *l)
{
    return l->ring - player_space(l->settings.player);
}

static void *run(void *context)
{
    struct play_loop *l = context;
    const size_t block = l->settings.block;
    const size_t tail = limiter_delay(l->limiter) + (size_t)(ramp_seconds * l->settings.rate) + block;
    for (size_t last = 0, pauses = 0; last < tail && pauses < LAST_PAUSES_MAX;) {
        const bool ending = atomic_load(&l->quit);
        const unsigned long long late = atomic_load(&l->late);
        if (waiting(l) >= atomic_load(&l->ahead) || player_space(l->settings.player) < block) {
            pause_briefly();
            pauses += ending;
            continue;
        }
        if (play_block(l, &l->error)) {
            atomic_store(&l->failed, true);
            break;
        }
        last += ending ? block : 0;
        if (atomic_load(&l->late) > late) /* leave time to the rest of the program, which may have to end this */
            pause_briefly();
    }
    return NULL;
}

/* ---- start, end and status */

/* Plays silence and returns how many frames the sound card takes at a time; 0: it takes none. */
static size_t probe(struct play_loop *l, struct error *e)
{
    size_t taken = 0, before = waiting(l);
    const double end = clock_seconds() + probe_seconds;
    while (clock_seconds() < end && !stop_check(e)) {
        const size_t now = waiting(l);
        if (now < before && (!taken || before - now < taken))
            taken = before - now;
        before = now;
        pause_briefly();
    }
    return taken;
}

/* Fills the ring with silence, which also covers the start of the thread. */
static int start_player(struct play_loop *l, struct error *e)
{
    const struct play_loop_settings *s = &l->settings;
    l->ring = player_space(s->player);
    memset(l->out, 0, PLAY_EARS * s->block * sizeof *l->out);
    while ((double)waiting(l) < 2.0 * probe_seconds * s->rate && player_space(s->player) >= s->block)
        l->frame += player_write(s->player, l->out, s->block);
    if (player_start(s->player, e))
        return -1;
    l->taken = probe(l, e);
    for (struct midi_packet early; s->input && midi_input_read(s->input, &early);) /* keys pressed before now */
        ;
    atomic_store(&l->ahead, l->taken + s->block);
    return stop_check(e);
}

/* With real-time priority where the system allows it, below that of sound servers: a busy machine then delays other
 * programs, not the sound. */
static int start_thread(struct play_loop *l)
{
    pthread_attr_t attributes;
    const struct sched_param parameters = {.sched_priority = PRIORITY};
    if (pthread_attr_init(&attributes))
        return -1;
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_RR);
    pthread_attr_setschedparam(&attributes, &parameters);
    const bool failed = pthread_create(&l->thread, &attributes, run, l) && pthread_create(&l->thread, NULL, run, l);
    pthread_attr_destroy(&attributes);
    return failed ? -1 : 0;
}

static void loop_free(struct play_loop *l)
{
    limiter_free(l->limiter);
    free(l->mono);
    free(l);
}

int play_loop_start(struct play_loop **out, const struct play_loop_settings *s, struct error *e)
{
    struct play_loop *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l || !(l->mono = calloc((1 + 2 * PLAY_EARS) * s->block, sizeof *l->mono))) {
        free(l);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t ear = 0; ear < PLAY_EARS; ear++)
        l->wet[ear] = l->mono + (1 + ear) * s->block;
    l->out = l->mono + (1 + PLAY_EARS) * s->block;
    l->settings = *s;
    l->lead = -INFINITY;
    atomic_store(&l->level, 1.0f);
    atomic_store(&l->reduction, 1.0f);
    if (limiter_make(&l->limiter, PLAY_EARS, s->rate, e) || start_player(l, e)) {
        loop_free(l);
        return -1;
    }
    if (start_thread(l)) {
        loop_free(l);
        return fail(e, ERROR_FAILED, "cannot start a thread for the sound");
    }
    *out = l;
    return 0;
}

void play_loop_end(struct play_loop *l)
{
    if (!l)
        return;
    atomic_store(&l->quit, true);
    pthread_join(l->thread, NULL);
    loop_free(l);
}

void play_loop_send(struct play_loop *l, const uint8_t bytes[3])
{
    midi_queue_write(&l->keys, clock_seconds(), bytes, 1 + midi_data_count(bytes[0]));
}

void play_loop_set_level(struct play_loop *l, double decibels)
{
    atomic_store(&l->level, (float)pow(10.0, 0.05 * decibels));
}

/* Keeps one more block ready after underruns. */
static void widen(struct play_loop *l, unsigned long long underruns)
{
    const size_t ahead = atomic_load(&l->ahead);
    if (underruns > l->underruns && (double)ahead < ahead_max * l->settings.rate)
        atomic_store(&l->ahead, ahead + l->settings.block);
    l->underruns = underruns;
}

struct play_status play_loop_look(struct play_loop *l)
{
    const struct play_loop_settings *s = &l->settings;
    const struct player_status sound = player_status(s->player);
    widen(l, sound.underruns);
    const double gain = (double)atomic_exchange(&l->reduction, 1.0f);
    struct play_status status = {.notes = atomic_load(&l->notes),
                                 .unheard = atomic_load(&l->unheard),
                                 .late = atomic_load(&l->late),
                                 .underruns = sound.underruns,
                                 .load = (double)atomic_load(&l->load),
                                 .buffered = (double)(atomic_load(&l->ahead) + s->block) / s->rate,
                                 .card = fmax(sound.latency, (double)l->taken / s->rate),
                                 .limiter = (double)limiter_delay(l->limiter) / s->rate,
                                 .reduction = gain < 1.0 ? -20.0 * log10(fmax(gain, 1e-12)) : 0.0,
                                 .failed = atomic_load(&l->failed)};
    if (status.failed)
        status.error = l->error;
    return status;
}
