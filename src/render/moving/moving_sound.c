/* SPDX-License-Identifier: MIT */
#include "render/moving/moving_sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "dsp/fractional_read.h"
#include "dsp/space/harmonics.h"
#include "render/moving/split.h"
#include "render/moving/track.h"
#include "render/moving/voice.h"

enum { BLOCK = 8192 };

struct moving {
    const struct moving_task *task;
    struct voices voices;
    struct track track;
    struct fractional_reader reader;
    double *wet;
    size_t frames;
};

/* Bytes of a voice: spectra of its parts and their inputs (single precision, half of each block padding), its late part
 * and its blocks. */
static double voice_bytes(const struct moving_places *p)
{
    double arrivals = 0.0;
    for (size_t i = 0; i < p->count; i++)
        arrivals = fmax(arrivals, (double)p->list[i].arrival_count);
    const double channels = (double)p->channels, blocks = ceil((double)p->frames / BLOCK);
    const double early = ceil(SPLIT_LONGEST * p->rate / BLOCK) + 1.0;
    return 8.0 * BLOCK * ((channels + 1.0) * (2.0 * blocks + 2.0) + arrivals * (channels + 1.0) * 2.0 * early) +
           12.0 * channels * (double)p->frames;
}

/* Voices at a time, about: those around a position and those that fade out; all that a source has passed. */
static double voice_count(const struct moving_task *task)
{
    const double count = (double)task->places->count;
    return task->source_moves ? count : fmin(count, 3.0 * (double)(1 << task->places->dimensions));
}

static int make(struct moving *m, struct audio *wet, const struct moving_task *task, struct error *e)
{
    const struct moving_places *p = task->places;
    *wet = (struct audio){.channels = p->channels, .frames = task->frames + p->frames - 1, .rate = p->rate};
    *m = (struct moving){.task = task, .frames = wet->frames};
    if (memory_demand((double)wet->channels * (double)wet->frames * sizeof *wet->samples, e,
                      "%zu channels of %zu frames of sound", wet->channels, wet->frames))
        return -1;
    if (memory_demand(voice_count(task) * voice_bytes(p), e, "the convolutions of %.0f positions", voice_count(task)))
        return -1;
    m->wet = wet->samples = calloc(wet->channels * wet->frames + 1, sizeof *wet->samples);
    if (!m->wet)
        return fail(e, ERROR_MEMORY, "out of memory");
    return track_make(&m->track, task->walk, p, BLOCK, e) || fractional_reader_make(&m->reader, e) ||
                   voices_make(&m->voices, task, BLOCK, e)
               ? -1
               : 0;
}

/* One block from frame `first`. */
static int run_block(struct moving *m, size_t first, struct error *e)
{
    track_fill(&m->track, (double)first / m->task->places->rate);
    if (voices_choose(&m->voices, &m->track, e))
        return -1;
    voices_weigh(&m->voices, &m->track);
    voices_run(&m->voices, &m->track, &m->reader, first);
    const size_t count = m->frames - first < BLOCK ? m->frames - first : BLOCK;
    voices_add(&m->voices, m->wet, m->frames, first, count);
    return stop_check(e);
}

/* The field in the axes of a head with these angles. */
static void field_turned_at(struct field_turn *field, const struct moving_task *task, double time)
{
    double position[3], turn[3];
    walk_at(task->walk, time, position, turn);
    const struct turn head = turn_of(turn[0], turn[1], turn[2]), back = turn_back(&head);
    field_turn_make(field, task->turned_order, &back);
}

/* Turns the field with the head: the turns of every TRACK_STEP-th frame, and mixtures of two in between. */
static int turn_field(struct moving *m, struct error *e)
{
    const size_t channels = m->task->places->channels;
    const double rate = m->task->places->rate;
    struct field_turn turns[2];
    double in[HARMONICS_MAX], low[HARMONICS_MAX], high[HARMONICS_MAX];
    for (size_t n = 0; n < m->frames; n++) {
        const size_t step = n % TRACK_STEP;
        if (!step) {
            if (stop_requested())
                return stop_check(e);
            field_turned_at(&turns[0], m->task, (double)n / rate);
            field_turned_at(&turns[1], m->task, (double)(n + TRACK_STEP) / rate);
        }
        const double part = (double)step / TRACK_STEP;
        for (size_t c = 0; c < channels; c++)
            in[c] = m->wet[c * m->frames + n];
        field_turn_apply(low, &turns[0], in);
        field_turn_apply(high, &turns[1], in);
        for (size_t c = 0; c < channels; c++)
            m->wet[c * m->frames + n] = (1.0 - part) * low[c] + part * high[c];
    }
    return 0;
}

int moving_sound_make(struct audio *wet, const struct moving_task *task, struct error *e)
{
    struct moving m;
    int status = make(&m, wet, task, e);
    for (size_t first = 0; !status && first < m.frames; first += BLOCK)
        status = run_block(&m, first, e);
    if (!status && task->turned_order)
        status = turn_field(&m, e);
    voices_free(&m.voices);
    fractional_reader_free(&m.reader);
    track_free(&m.track);
    if (status) {
        free(wet->samples);
        memset(wet, 0, sizeof *wet);
    }
    return status ? -1 : 0;
}
