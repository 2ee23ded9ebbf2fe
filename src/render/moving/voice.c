/* SPDX-License-Identifier: MIT */
#include "render/moving/voice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"

int voices_make(struct voices *v, const struct moving_task *task, size_t block, struct error *e)
{
    const size_t places = task->places->count;
    *v = (struct voices){.task = task, .block = block};
    v->early_blocks = (size_t)ceil((SPLIT_LONGEST + 1.0) * task->places->rate / (double)block) + 1;
    v->late_blocks = task->places->frames / block + 2;
    v->correlation = malloc(places * places * sizeof *v->correlation);
    v->list = calloc(places, sizeof *v->list);
    if (!v->correlation || !v->list)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < places * places; i++)
        v->correlation[i] = NAN;
    return 0;
}

static void voice_free(struct voice *voice)
{
    convolver_free(voice->early);
    convolver_free(voice->late);
    free(voice->arrival);
    free(voice->late_part);
    free(voice->in);
    free(voice->out);
    free(voice->in_rows);
    free(voice->out_rows);
    free(voice->gain);
    free(voice->sum);
    memset(voice, 0, sizeof *voice);
}

void voices_free(struct voices *v)
{
    for (size_t i = 0; i < v->count; i++)
        voice_free(&v->list[i]);
    free(v->list);
    free(v->correlation);
    memset(v, 0, sizeof *v);
}

static int make_convolvers(struct voice *voice, const struct voices *v, const struct moving_split *s, struct error *e)
{
    const struct moving_places *p = v->task->places;
    const size_t channels = p->channels;
    struct convolver_filter *filters = calloc((s->arrivals + 1) * channels, sizeof *filters);
    int status = filters ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < channels && !status; c++)
        filters[c] = (struct convolver_filter){s->late + c * p->frames, p->frames};
    status = status || convolver_make(&voice->late, 1, channels, filters, v->block, e);
    for (size_t i = 0; i < s->arrivals * channels && !status; i++)
        filters[i] = (struct convolver_filter){s->parts + i * s->early, s->early};
    if (!status && s->arrivals)
        status = convolver_make(&voice->early, s->arrivals, channels, filters, v->block, e);
    free(filters);
    return status;
}

/* Nonzero: out of memory. */
static int make_buffers(struct voice *voice, size_t block, size_t channels)
{
    const size_t inputs = voice->arrivals + 1;
    voice->in = calloc(inputs * block, sizeof *voice->in);
    voice->out = calloc(channels * block, sizeof *voice->out);
    voice->in_rows = calloc(inputs, sizeof *voice->in_rows);
    voice->out_rows = calloc(channels, sizeof *voice->out_rows);
    voice->gain = calloc(block, sizeof *voice->gain);
    voice->sum = calloc(channels * block, sizeof *voice->sum);
    if (!voice->in || !voice->out || !voice->in_rows || !voice->out_rows || !voice->gain || !voice->sum)
        return -1;
    for (size_t k = 0; k < inputs; k++)
        voice->in_rows[k] = voice->in + k * block;
    for (size_t c = 0; c < channels; c++)
        voice->out_rows[c] = voice->out + c * block;
    return 0;
}

/* Without early parts and with a late part that goes on from what the others have heard. */
static int voice_make(struct voice *voice, const struct voices *v, size_t place, struct error *e)
{
    const struct moving_places *p = v->task->places;
    struct moving_split s;
    memset(voice, 0, sizeof *voice);
    voice->place = place;
    if (moving_split_make(&s, p, &p->list[place], e))
        return -1;
    voice->arrivals = s.arrivals;
    voice->arrival = s.arrival;
    s.arrival = NULL;
    const size_t channels = p->channels;
    voice->late_part = malloc(channels * p->frames * sizeof *voice->late_part);
    int status = voice->late_part && !make_buffers(voice, v->block, channels) ? make_convolvers(voice, v, &s, e)
                                                                              : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < channels * p->frames && !status; i++)
        voice->late_part[i] = (float)s.late[i];
    moving_split_free(&s);
    if (!status && v->count && !v->task->source_moves)
        status = convolver_take_history(voice->late, v->list[0].late) ? fail(e, ERROR_FAILED, "histories differ") : 0;
    if (status)
        voice_free(voice);
    return status ? -1 : 0;
}

static bool is_weighed(const struct track *t, size_t place)
{
    for (size_t i = 0; i < t->points; i++)
        if (t->weights[i * t->places->count + place] > 0.0)
            return true;
    return false;
}

static int insert(struct voices *v, size_t at, size_t place, struct error *e)
{
    struct voice made;
    if (voice_make(&made, v, place, e))
        return -1;
    memmove(&v->list[at + 1], &v->list[at], (v->count - at) * sizeof *v->list);
    v->list[at] = made;
    v->count++;
    return 0;
}

int voices_choose(struct voices *v, const struct track *t, struct error *e)
{
    const size_t last = v->task->source_moves && v->late_blocks > v->early_blocks ? v->late_blocks : v->early_blocks;
    size_t at = 0, kept = 0;
    for (size_t place = 0; place < t->places->count; place++) {
        const bool sounds = at < v->count && v->list[at].place == place, weighed = is_weighed(t, place);
        if (stop_requested())
            return stop_check(e);
        if (weighed && !sounds && insert(v, at, place, e))
            return -1;
        if (weighed || sounds) {
            v->list[at].idle = weighed ? 0 : v->list[at].idle + 1;
            at++;
        }
    }
    for (size_t i = 0; i < v->count; i++)
        if (v->list[i].idle > last)
            voice_free(&v->list[i]);
        else
            v->list[kept++] = v->list[i];
    v->count = kept;
    return 0;
}

/* C_ij = Σ l_i l_j over channels and samples. */
static double correlation_of(struct voices *v, const struct voice *a, const struct voice *b)
{
    const size_t places = v->task->places->count, count = v->task->places->channels * v->task->places->frames;
    double *known = &v->correlation[a->place * places + b->place];
    if (isnan(*known)) {
        double sum = 0.0;
        for (size_t i = 0; i < count; i++)
            sum += (double)a->late_part[i] * (double)b->late_part[i];
        *known = v->correlation[b->place * places + a->place] = sum;
    }
    return *known;
}

/* sqrt(Σ w_i C_ii / Σ w_i w_k C_ik) */
static double late_scale(struct voices *v, const double *weights)
{
    static const double least = 0.01; /* of the power: places whose late parts cancel are left as they are */
    double wanted = 0.0, mixed = 0.0;
    for (size_t i = 0; i < v->count; i++) {
        const double w = weights[v->list[i].place];
        if (!(w > 0.0))
            continue;
        wanted += w * correlation_of(v, &v->list[i], &v->list[i]);
        for (size_t k = 0; k < v->count; k++)
            if (weights[v->list[k].place] > 0.0)
                mixed += w * weights[v->list[k].place] * correlation_of(v, &v->list[i], &v->list[k]);
    }
    return wanted > 0.0 ? sqrt(wanted / fmax(mixed, least * wanted)) : 1.0;
}

void voices_weigh(struct voices *v, struct track *t)
{
    const size_t places = t->places->count;
    for (size_t i = 0; i < t->points; i++) {
        const double *weights = t->weights + i * places;
        const bool rests = i && !memcmp(weights, weights - places, places * sizeof *weights);
        if (rests) {
            memcpy(t->gains + i * places, t->gains + (i - 1) * places, places * sizeof *t->gains);
            continue;
        }
        const double scale = late_scale(v, weights);
        for (size_t k = 0; k < places; k++)
            t->gains[i * places + k] = scale * weights[k];
    }
}

/* The fixed end and its images, heard from one place. */
struct line {
    const struct moving_task *task;
    const struct track *track;
    const struct fractional_reader *reader;
    const double *image;
    size_t place;
    double distance; /* of the place from the image, m */
};

static double distance_at(const struct line *l, double time)
{
    double position[3];
    track_position(l->track, time, position);
    return moving_distance(l->image, position);
}

/* 1/(1 + r'/c) at a time, with r' over some ms, so that it has no jump where the walk turns. */
static double source_factor(const struct line *l, double time)
{
    static const double around = 5e-3; /* s */
    const double speed = (distance_at(l, time + around) - distance_at(l, time - around)) / (2.0 * around);
    return 1.0 / (1.0 + speed / l->task->places->sound_speed);
}

/* Input of the part of one arrival: the dry sound with the delay and the level of its changed path. */
static void fill_arrival(float *in, const struct line *l, size_t first, size_t block)
{
    const struct moving_places *p = l->task->places;
    const double travel = l->distance / p->sound_speed;
    double change = 0.0; /* s: of the delay, r/c - r_j/c */
    for (size_t n = 0; n < block; n++) {
        const double time = (double)(first + n) / p->rate;
        double position_time = time + travel + p->delay; /* when it is heard */
        if (l->task->source_moves) {
            /* τ = t - r(τ)/c converges by a factor of v/c in each turn, from the delay of the sample before */
            for (int turn = n ? 2 : 12; turn; turn--)
                change = distance_at(l, time - change) / p->sound_speed - travel;
            position_time = time - change;
        }
        const double weight = track_value(l->track, l->track->weights, l->place, position_time);
        if (!(weight > 0.0)) {
            in[n] = 0.0F;
            if (l->task->source_moves)
                change = distance_at(l, time - change) / p->sound_speed - travel;
            continue;
        }
        const double r = distance_at(l, position_time);
        change = (r - l->distance) / p->sound_speed;
        const double level = weight * fmax(l->distance, MOVING_NEAREST) / fmax(r, MOVING_NEAREST) *
                             (l->task->source_moves ? source_factor(l, position_time) : 1.0);
        in[n] = (float)(level * fractional_read(l->reader, l->task->dry, l->task->frames, (time - change) * p->rate));
    }
}

static void run_early(struct voice *voice, const struct voices *v, const struct track *t,
                      const struct fractional_reader *reader, size_t first)
{
    const struct moving_place *place = &v->task->places->list[voice->place];
    const size_t count = v->task->places->channels * v->block;
    if (voice->idle)
        memset(voice->in, 0, voice->arrivals * v->block * sizeof *voice->in);
    for (size_t k = 0; k < voice->arrivals && !voice->idle; k++) {
        const double *image = place->arrivals[voice->arrival[k]].image;
        const struct line line = {v->task, t, reader, image, voice->place, moving_distance(image, place->position)};
        fill_arrival(voice->in + k * v->block, &line, first, v->block);
    }
    convolver_run(voice->early, voice->in_rows, voice->out_rows);
    for (size_t i = 0; i < count; i++)
        voice->sum[i] += (double)voice->out[i];
}

static void run_late(struct voice *voice, const struct voices *v, const struct track *t, size_t first)
{
    const bool source_moves = v->task->source_moves;
    const size_t block = v->block;
    float *in = voice->in + voice->arrivals * block;
    for (size_t n = 0; n < block; n++) {
        const double sample = first + n < v->task->frames ? v->task->dry[first + n] : 0.0;
        voice->gain[n] = track_value(t, t->gains, voice->place, (double)(first + n) / v->task->places->rate);
        in[n] = (float)(source_moves ? voice->gain[n] * sample : sample);
    }
    convolver_run(voice->late, voice->in_rows + voice->arrivals, voice->out_rows);
    for (size_t c = 0; c < v->task->places->channels; c++)
        for (size_t n = 0; n < block; n++)
            voice->sum[c * block + n] += (source_moves ? 1.0 : voice->gain[n]) * (double)voice->out[c * block + n];
}

void voices_run(struct voices *v, const struct track *t, const struct fractional_reader *reader, size_t first)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < v->count; i++) {
        struct voice *voice = &v->list[i];
        if (stop_requested())
            continue; /* the caller checks, and drops the sound */
        memset(voice->sum, 0, v->task->places->channels * v->block * sizeof *voice->sum);
        if (voice->early)
            run_early(voice, v, t, reader, first);
        run_late(voice, v, t, first);
    }
}

void voices_add(const struct voices *v, double *wet, size_t frames, size_t first, size_t count)
{
    for (size_t i = 0; i < v->count; i++)
        for (size_t c = 0; c < v->task->places->channels; c++)
            for (size_t n = 0; n < count; n++)
                wet[c * frames + first + n] += v->list[i].sum[c * v->block + n];
}
