/* SPDX-License-Identifier: MIT */
#include "render/moving/moving_sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "dsp/fractional_read.h"
#include "dsp/space/harmonics.h"
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

static int make(struct moving *m, struct audio *wet, const struct moving_task *task, struct error *e)
{
    const struct moving_places *p = task->places;
    *wet = (struct audio){.channels = p->channels, .frames = task->frames + p->frames - 1, .rate = p->rate};
    *m = (struct moving){.task = task, .frames = wet->frames};
    if (memory_demand((double)wet->channels * (double)wet->frames * sizeof *wet->samples, e,
                      "%zu channels of %zu frames of sound", wet->channels, wet->frames))
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
