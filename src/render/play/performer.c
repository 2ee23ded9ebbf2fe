/* SPDX-License-Identifier: MIT */
#include "render/play/performer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/stop.h"
#include "dsp/band_filter.h"
#include "render/play/damper.h"
#include "render/play/key_map.h"
#include "render/play/upsampler.h"
#include "render/response.h" /* RESPONSE_HIGH_PASS */
#include "render/synth/drift_watch.h"
#include "render/synth/gesture.h"
#include "render/synth/perform.h"

enum { BLOWS_MAX = 64 };                 /* at the same time; the oldest gives way */
static const double trial_seconds = 0.3; /* of the loudest note */
static const double bow_seconds = 0.01;  /* in which a bow reaches its force, and is lifted */

/* A strike, a pluck or a thrown mallet. */
struct blow {
    struct event event;
    struct gesture gesture;
    size_t voice;
};

/* The bow of a voice: m/s; N now, and towards which its force moves. */
struct bow {
    double speed, force, target;
};

struct performer {
    struct performer_settings settings;
    double rate;  /* steps/s */
    size_t block; /* steps */
    struct upsampler upsampler;
    struct key_map keys;
    struct score score; /* of one event a voice */
    struct ensemble *ensemble;
    struct performance_problem problem;
    struct solver *solver;
    struct damper *dampers;           /* [voices] */
    bool *held, *driven;              /* [voices] */
    struct bow *bows;                 /* [voices] */
    size_t *first_drive;              /* [voices + 1] */
    double expression[MIDI_CHANNELS]; /* 0 to 1: share of the bow's force */
    bool pedal;
    struct blow blows[BLOWS_MAX]; /* in the order of their beginning */
    size_t blow_count;
    size_t step;                /* the first of the next block */
    double *drive, *taps;       /* [drives][block]; [pickups][block] */
    double *mixed, previous[2]; /* [block] displacement, m; and the two samples before it */
    double *frames;             /* [block divisor] */
    struct high_pass_state high_pass;
    double gain, factor;
    float *sample;
    size_t samples;
    struct drift_watch drift;
    size_t looked; /* step of its last look */
};

/* ---- making */

static size_t voices_of(const struct performer *p)
{
    return p->score.count;
}

static const struct instrument *played(const struct performer *p, size_t voice)
{
    return &p->settings.room->instruments[p->score.events[voice].instrument];
}

static bool is_bowed(const struct performer *p, size_t voice)
{
    return played(p, voice)->played == EXCITATION_BOW;
}

/* Every event of the score has an instrument and pitch of its own, so drives follow in the order of voices: three of
 * a bow, one of any other. */
static int make_problem(struct performer *p, struct error *e)
{
    const struct performer_settings *s = &p->settings;
    if (ensemble_make(&p->ensemble, s->room, &p->score, NULL, p->rate, e))
        return -1;
    p->ensemble->bodies.unaudited = true;
    const struct piece piece = {.room = s->room, .ensemble = p->ensemble, .score = &p->score, .rate = p->rate};
    return performance_problem_make(&p->problem, &piece, e);
}

static int make_dampers(struct performer *p, struct error *e)
{
    const struct room *room = p->settings.room;
    for (size_t v = 0; v < voices_of(p); v++) {
        const struct event *event = &p->score.events[v];
        const struct voice *voice = &p->ensemble->voices[ensemble_voice(p->ensemble, event->instrument, event->pitch)];
        if (room->instruments[event->instrument].type == INSTRUMENT_STRING &&
            damper_make(&p->dampers[v], &voice->line, 1.0 / p->rate, e))
            return -1;
    }
    return 0;
}

static int make_arrays(struct performer *p, struct error *e)
{
    const size_t voices = voices_of(p), block = p->block, frames = p->settings.block;
    p->samples = (size_t)ceil(trial_seconds * p->settings.rate / (double)frames) * frames;
    p->dampers = calloc(voices, sizeof *p->dampers);
    p->held = calloc(2 * voices, sizeof *p->held);
    p->bows = calloc(voices, sizeof *p->bows);
    p->first_drive = calloc(voices + 1, sizeof *p->first_drive);
    p->drive = calloc(p->problem.problem.drive_count * block + 1, sizeof *p->drive);
    p->taps = calloc(p->settings.room->pickup_count * block, sizeof *p->taps);
    p->mixed = calloc(block + frames, sizeof *p->mixed);
    p->sample = calloc(p->samples, sizeof *p->sample);
    if (!p->dampers || !p->held || !p->drive || !p->taps || !p->mixed || !p->sample || !p->bows || !p->first_drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    p->frames = p->mixed + block;
    p->driven = p->held + voices;
    for (size_t v = 0; v < voices; v++)
        p->first_drive[v + 1] = p->first_drive[v] + (is_bowed(p, v) ? PORT_INPUTS : 1);
    return 0;
}

/* At rest. */
static int start(struct performer *p, struct error *e)
{
    solver_close(p->solver);
    p->blow_count = p->step = p->looked = 0;
    drift_watch_free(&p->drift);
    p->previous[0] = p->previous[1] = 0.0;
    p->high_pass = (struct high_pass_state){0};
    for (size_t v = 0; v < voices_of(p); v++) {
        p->held[v] = p->driven[v] = false;
        p->bows[v] = (struct bow){0.0, 0.0, 0.0};
    }
    for (size_t c = 0; c < MIDI_CHANNELS; c++)
        p->expression[c] = 1.0;
    return solver_open(&p->solver, &p->problem.problem, p->settings.choice, e) ||
                   drift_watch_make(&p->drift, p->ensemble, p->solver, p->problem.problem.points[2], e)
               ? -1
               : 0;
}

/* share: 0 to 1, of the force, or of the speed of a mallet or bow. */
static void begin_note(struct performer *p, size_t voice, double share, double expression, size_t frame)
{
    struct event event = p->score.events[voice];
    event.force *= share;
    event.velocity *= share;
    if (is_bowed(p, voice)) {
        p->bows[voice].speed = event.velocity;
        p->bows[voice].target = played(p, voice)->bow_force * expression;
        return;
    }
    if (p->blow_count == BLOWS_MAX)
        memmove(p->blows, p->blows + 1, --p->blow_count * sizeof *p->blows);
    struct blow *blow = &p->blows[p->blow_count++];
    *blow = (struct blow){.event = event, .voice = voice};
    blow->gesture = gesture_make(&event, played(p, voice)->played, p->rate, p->step + frame);
    blow->gesture.event = NULL; /* blow->event is the copy that lasts */
}

/* Processor time, which other programs do not lengthen. */
static double thread_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* Plays the loudest note of the middle voice into p->sample, and sets gain and factor. */
static int measure(struct performer *p, struct error *e)
{
    const size_t frames = p->settings.block;
    float peak = 0.0f;
    p->gain = 1.0;
    begin_note(p, voices_of(p) / 2, 1.0, 1.0, 0);
    const double begin = thread_seconds();
    for (size_t n = 0; n < p->samples; n += frames)
        if (stop_check(e) || performer_run(p, p->sample + n, e))
            return -1;
    p->factor = (double)p->samples / p->settings.rate / fmax(thread_seconds() - begin, 1e-9);
    for (size_t n = 0; n < p->samples; n++)
        peak = fmaxf(peak, fabsf(p->sample[n]));
    p->gain = peak > 0.0f ? PERFORMER_PEAK / (double)peak : 1.0;
    for (size_t n = 0; n < p->samples; n++)
        p->sample[n] *= (float)p->gain;
    return start(p, e);
}

int performer_open(struct performer **out, const struct performer_settings *s, struct error *e)
{
    struct performer *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return fail(e, ERROR_MEMORY, "out of memory");
    p->settings = *s;
    p->rate = s->rate / (double)s->divisor;
    p->block = s->block / s->divisor;
    if (upsampler_make(&p->upsampler, s->divisor, p->block, e) ||
        key_map_make(&p->keys, &p->score, s->room, s->range, e) || make_problem(p, e) || make_arrays(p, e) ||
        make_dampers(p, e) || start(p, e) || measure(p, e)) {
        performer_close(p);
        return -1;
    }
    *out = p;
    return 0;
}

void performer_close(struct performer *p)
{
    if (!p)
        return;
    drift_watch_free(&p->drift);
    upsampler_free(&p->upsampler);
    solver_close(p->solver);
    for (size_t v = 0; p->dampers && v < voices_of(p); v++)
        damper_free(&p->dampers[v]);
    performance_problem_free(&p->problem);
    ensemble_free(p->ensemble);
    score_free(&p->score);
    free(p->dampers);
    free(p->held);
    free(p->bows);
    free(p->first_drive);
    free(p->drive);
    free(p->taps);
    free(p->mixed);
    free(p->sample);
    free(p);
}

int performer_warn(char ***lines, size_t *count, const struct performer *p, struct error *e)
{
    return drift_watch_warn(lines, count, &p->drift, p->settings.room, e);
}

struct performer_facts performer_facts(const struct performer *p)
{
    struct performer_facts f = {.range = {p->settings.range[0], p->settings.range[1]},
                                .voices = voices_of(p),
                                .rate = p->rate,
                                .delay = (double)(p->upsampler.delay + p->settings.divisor) / p->settings.rate,
                                .factor = p->factor,
                                .gain = p->gain,
                                .sample = p->sample,
                                .samples = p->samples,
                                .plan = solver_plan_of(p->solver)};
    for (size_t v = 0; v < p->ensemble->voice_count; v++) {
        const struct voice *voice = &p->ensemble->voices[v];
        f.modes += voice->line.modes;
        f.nodes += voice->surface ? voice->surface->nx * voice->surface->ny : 0;
    }
    for (size_t i = 0; i < p->ensemble->bodies.count; i++)
        f.ports = f.ports || p->ensemble->bodies.body[i].port_count;
    return f;
}

/* ---- playing */

static int voice_of(const struct performer *p, unsigned channel, unsigned note)
{
    return channel < MIDI_CHANNELS && note <= MIDI_NOTE_MAX ? p->keys.voice[channel][note] : NO_VOICE;
}

bool performer_strike(struct performer *p, unsigned channel, unsigned note, double share, size_t frame)
{
    const int voice = voice_of(p, channel, note);
    if (voice == NO_VOICE)
        return false;
    p->held[voice] = true;
    damper_set(&p->dampers[voice], false);
    begin_note(p, (size_t)voice, share, p->expression[channel], frame / p->settings.divisor);
    return true;
}

void performer_release(struct performer *p, unsigned channel, unsigned note)
{
    const int voice = voice_of(p, channel, note);
    if (voice == NO_VOICE)
        return;
    p->held[voice] = false;
    p->bows[voice].target = 0.0;
    if (!p->pedal)
        damper_set(&p->dampers[voice], true);
}

void performer_express(struct performer *p, unsigned channel, double share)
{
    if (channel >= MIDI_CHANNELS)
        return;
    p->expression[channel] = share;
    for (unsigned note = 0; note <= MIDI_NOTE_MAX; note++) {
        const int voice = voice_of(p, channel, note);
        if (voice != NO_VOICE && p->bows[voice].target > 0.0)
            p->bows[voice].target = played(p, (size_t)voice)->bow_force * fmax(share, 1e-6);
    }
}

void performer_pedal(struct performer *p, bool down)
{
    p->pedal = down;
    for (size_t v = 0; v < voices_of(p) && !down; v++)
        if (!p->held[v])
            damper_set(&p->dampers[v], true);
}

void performer_damp_all(struct performer *p)
{
    memset(p->held, 0, voices_of(p) * sizeof *p->held);
    for (size_t v = 0; v < voices_of(p); v++)
        p->bows[v].target = 0.0;
    performer_pedal(p, false);
}

/* Force, speed and place of a bow over a block. Returns whether it touches the string. */
static bool fill_bow(struct performer *p, size_t voice)
{
    const size_t block = p->block;
    double *drive = p->drive + p->first_drive[voice] * block;
    struct bow *bow = &p->bows[voice];
    const double change = played(p, voice)->bow_force / (bow_seconds * p->rate);
    if (!(bow->force > 0.0) && !(bow->target > 0.0))
        return false;
    for (size_t n = 0; n < block; n++) {
        bow->force += fmin(fmax(bow->target - bow->force, -change), change);
        drive[BOW_FORCE * block + n] = bow->force;
        drive[BOW_SPEED * block + n] = bow->speed;
        drive[BOW_POSITION * block + n] = p->score.events[voice].place[0];
    }
    return true;
}

/* The value that a blow adds at a step; a thrown mallet starts at one step. */
static double blow_at(const struct blow *blow, double step)
{
    const struct gesture *g = &blow->gesture;
    if (!is_thrown(g->kind))
        return strike_force_at(&g->force, step);
    return step == ceil(g->start) ? blow->event.velocity : 0.0;
}

/* Fills the drives of the voices that are played in this block. Returns whether there are any. */
static bool fill_drives(struct performer *p)
{
    const size_t block = p->block, end = p->step + block;
    size_t left = 0;
    bool any = false;
    for (size_t v = 0; v < voices_of(p); v++)
        if (p->driven[v]) {
            memset(p->drive + p->first_drive[v] * block, 0,
                   (p->first_drive[v + 1] - p->first_drive[v]) * block * sizeof *p->drive);
            p->driven[v] = false;
        }
    for (size_t v = 0; v < voices_of(p); v++)
        if (is_bowed(p, v) && fill_bow(p, v))
            any = p->driven[v] = true;
    for (size_t i = 0; i < p->blow_count; i++) {
        const struct blow *blow = &p->blows[i];
        double *drive = p->drive + p->first_drive[blow->voice] * block;
        for (size_t n = p->step; n < end; n++)
            drive[n - p->step] += blow_at(blow, (double)n);
        any = p->driven[blow->voice] = true;
        if (blow->gesture.start + blow->gesture.width > (double)end)
            p->blows[left++] = *blow;
    }
    p->blow_count = left;
    return any;
}

/* Central difference over 2k, which is that of the step before; the sum of all pickups. */
static void differentiate(struct performer *p)
{
    const size_t block = p->block, pickups = p->settings.room->pickup_count;
    double x[2] = {p->previous[0], p->previous[1]};
    for (size_t n = 0; n < block; n++) {
        double sum = 0.0;
        for (size_t i = 0; i < pickups; i++)
            sum += p->taps[i * block + n];
        p->mixed[n] = 0.5 * p->rate * (sum - x[0]);
        x[0] = x[1];
        x[1] = sum;
    }
    memcpy(p->previous, x, sizeof x);
}

int performer_run(struct performer *p, float *out, struct error *e)
{
    const size_t block = p->block;
    const struct block b = {fill_drives(p) ? p->drive : NULL, block, p->taps, block};
    if (solver_run(p->solver, block, &b, e))
        return -1;
    p->step += block;
    if (p->step - p->looked >= DRIFT_STEPS) {
        p->looked = p->step;
        if (drift_watch_look(&p->drift, p->solver, e))
            return -1;
    }
    differentiate(p);
    high_pass_run(&p->high_pass, p->mixed, block, RESPONSE_HIGH_PASS, p->rate);
    upsampler_run(&p->upsampler, p->mixed, block, p->frames);
    for (size_t n = 0; n < p->settings.block; n++) {
        out[n] = (float)(p->gain * p->frames[n]);
        if (!isfinite(out[n]))
            return fail(e, ERROR_UNSTABLE, "the instruments overflowed; raise the rate of the sound card");
    }
    return 0;
}
