/* SPDX-License-Identifier: MIT */
#include "dsp/measure/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

void comparison_free(struct comparison *c)
{
    if (!c)
        return;
    free(c->pairs);
    lines_free(c->notes, c->note_count);
    memset(c, 0, sizeof *c);
}

/* ---- Which channels ---- */

static size_t channels_of(const struct compared_file *file)
{
    return file->recording->audio.channels;
}

static const char *name_of(const struct compared_file *file, size_t channel)
{
    return file->recording->channel_name[channel];
}

/* W of an ambisonic response is the pressure, as an omnidirectional receiver has it. */
static const char *kind_of(const struct compared_file *file)
{
    const char *kind = file->recording->space.receiver;
    return strcmp(kind, "ambisonic") ? kind : "";
}

static bool same_kind(const struct comparison *c)
{
    return !strcmp(kind_of(&c->file[0]), kind_of(&c->file[1]));
}

/* A decay of T seconds has its centre at T/13.8; two slopes move it forwards. */
bool is_recorded_sound(const struct metrics *m)
{
    static const double late = 3.0, unknown = 0.5; /* times T20/13.8; s, without T20 */
    bool any = false;
    for (size_t b = 0; b < METRICS_OCTAVES; b++) {
        const struct metrics_band *band = &m->band[b];
        if (isnan(band->ts))
            continue;
        any = true;
        if (!(band->ts > (isnan(band->t20.time) ? unknown : late * band->t20.time / (6.0 * log(10.0)))))
            return false;
    }
    return any;
}

static int check_file(const struct compared_file *file, struct error *e)
{
    if (file->recording->is_signal)
        return fail(e, ERROR_INPUT, "%s: is a recorded signal or an auralization; compare impulse responses",
                    file->path);
    for (size_t c = 0; c < channels_of(file); c++)
        if (file->channels[c].swept)
            return fail(e, ERROR_INPUT, "%s: is a recorded sweep; deconvolve it to an impulse response first",
                        file->path);
    size_t sounds = 0;
    for (size_t c = 0; c < channels_of(file); c++)
        sounds += is_recorded_sound(&file->channels[c]);
    if (sounds && sounds == channels_of(file))
        return fail(e, ERROR_INPUT, "%s: decays in no octave, so it is a recorded sound; compare impulse responses",
                    file->path);
    return 0;
}

/* The channel with this name or number; SIZE_MAX: none. */
static size_t find_channel(const struct compared_file *file, const char *receiver)
{
    double number;
    for (size_t c = 0; c < channels_of(file); c++)
        if (name_of(file, c) && !strcmp(name_of(file, c), receiver))
            return c;
    if (!text_number(receiver, &number) && number >= 1.0 && number <= (double)channels_of(file) &&
        number == floor(number))
        return (size_t)number - 1;
    return SIZE_MAX;
}

static bool all_named(const struct compared_file *file)
{
    for (size_t c = 0; c < channels_of(file); c++)
        if (!name_of(file, c))
            return false;
    return true;
}

static int pair_one(struct comparison *c, const char *receiver, struct error *e)
{
    for (int i = 0; i < 2; i++) {
        char safe[QUOTED];
        const struct compared_file *file = &c->file[i];
        const size_t found = channels_of(file) == 1 ? 0 : find_channel(file, receiver);
        if (found == SIZE_MAX)
            return fail(e, ERROR_INPUT, "--receiver %s: %s has no receiver of this name and no channel of this number",
                        quoted(safe, receiver), file->path);
        c->pairs[0].channel[i] = found;
    }
    c->count = 1;
    return 0;
}

static void pair_names(struct comparison *c)
{
    for (size_t a = 0; a < channels_of(&c->file[0]); a++)
        for (size_t b = 0; b < channels_of(&c->file[1]); b++)
            if (!strcmp(name_of(&c->file[0], a), name_of(&c->file[1], b))) {
                c->pairs[c->count++] = (struct channel_pair){{a, b}};
                break;
            }
}

static int pair_in_order(struct comparison *c, struct error *e)
{
    const size_t first = channels_of(&c->file[0]), second = channels_of(&c->file[1]);
    const size_t longest = first > second ? first : second;
    const bool to_ears =
        (first == 1 && c->file[1].recording->space.ears) || (second == 1 && c->file[0].recording->space.ears);
    if (first != second && !to_ears)
        return fail(e, ERROR_INPUT,
                    "%s has %zu channel%s and %s has %zu, so it is unknown which correspond; choose one with "
                    "--receiver NAME",
                    c->file[0].path, first, first == 1 ? "" : "s", c->file[1].path, second);
    for (size_t i = 0; i < longest; i++)
        c->pairs[c->count++] = (struct channel_pair){{first == 1 ? 0 : i, second == 1 ? 0 : i}};
    return 0;
}

static int note_pairs(struct comparison *c, bool named, bool by_order, struct error *e)
{
    const size_t first = channels_of(&c->file[0]), second = channels_of(&c->file[1]);
    const char *a = c->file[0].recording->source, *b = c->file[1].recording->source;
    int status = 0;
    if (named && by_order && c->count > 1)
        status = lines_add(&c->notes, &c->note_count, e,
                           "no receiver has the same name in %s and %s; they are compared in their order",
                           c->file[0].path, c->file[1].path);
    if (!status && !by_order && (c->count < first || c->count < second))
        status = lines_add(&c->notes, &c->note_count, e, "%s and %s share %zu receiver%s; others are not compared",
                           c->file[0].path, c->file[1].path, c->count, c->count == 1 ? "" : "s");
    if (!status && a && b && strcmp(a, b) != 0)
        status = lines_add(&c->notes, &c->note_count, e, "the source is %s in %s and %s in %s", a, c->file[0].path, b,
                           c->file[1].path);
    return status;
}

static int pair_channels(struct comparison *c, const char *receiver, struct error *e)
{
    const bool named = all_named(&c->file[0]) && all_named(&c->file[1]);
    const size_t first = channels_of(&c->file[0]), second = channels_of(&c->file[1]);
    c->pairs = calloc(first > second ? first : second, sizeof *c->pairs);
    if (!c->pairs)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (receiver)
        return pair_one(c, receiver, e);
    if (named)
        pair_names(c);
    const bool by_order = !c->count;
    return (by_order && pair_in_order(c, e)) || note_pairs(c, named, by_order, e) ? -1 : 0;
}

int comparison_make(struct comparison *c, const struct compared_file *first, const struct compared_file *second,
                    const char *receiver, struct error *e)
{
    *c = (struct comparison){.file = {*first, *second}};
    if (check_file(first, e) || check_file(second, e) || pair_channels(c, receiver, e))
        return -1;
    if (same_kind(c))
        return 0;
    const char *a = kind_of(first), *b = kind_of(second);
    return lines_add(&c->notes, &c->note_count, e,
                     "%s has %s%s receivers and %s %s%s ones, so only T20 and T30 are compared", first->path, a,
                     *a ? "" : "omnidirectional", second->path, b, *b ? "" : "omnidirectional");
}

const char *comparison_receiver(const struct comparison *c, size_t pair, char text[128])
{
    const size_t *channel = c->pairs[pair].channel;
    const char *a = name_of(&c->file[0], channel[0]), *b = name_of(&c->file[1], channel[1]);
    if (a && b && strcmp(a, b) != 0)
        snprintf(text, 128, "%.60s and %.60s", a, b);
    else if (a || b)
        snprintf(text, 128, "%s", a ? a : b);
    else if (channel[0] == channel[1])
        snprintf(text, 128, "channel %zu", channel[0] + 1);
    else
        snprintf(text, 128, "channels %zu and %zu", channel[0] + 1, channel[1] + 1);
    return text;
}

/* ---- Values ---- */

static const struct metrics *metrics_of(const struct comparison *c, size_t pair, int side)
{
    return &c->file[side].channels[c->pairs[pair].channel[side]];
}

/* Receivers that weight directions differently agree on the late decay alone, which comes from everywhere. */
static bool kinds_allow(const struct comparison *c, const struct jnd *jnd)
{
    return same_kind(c) || !strcmp(jnd->name, "t20") || !strcmp(jnd->name, "t30");
}

/* Why a band lacks the parameter. */
static const char *why_missing(const struct compared_file *file, const struct metric *metric,
                               const struct metrics_band *band)
{
    const bool level = !strcmp(metric->name, "g") || !strcmp(metric->name, "lg");
    const enum metrics_reason reason = metric_reason(metric, band);
    if (band->validity == METRICS_OUTSIDE)
        return metrics_reason_text(METRICS_BEYOND);
    if (reason)
        return metrics_reason_text(reason);
    if (level && !file->recording->calibrated)
        return metrics_reason_text(METRICS_LEVEL);
    if (!strncmp(metric->name, "iacc", 4))
        return file->recording->space.ears ? "it could not be measured" : "the channels are not two ears";
    return metric->optional ? "there is no lateral channel, or it could not be measured" : "it could not be measured";
}

/* Completes the values: difference and JND, or the side that lacks a value. why: [2] reasons of missing values. */
static void finish(struct compared *v, const struct comparison *c, const struct jnd *jnd, const char *const why[2])
{
    const bool lost[2] = {isnan(v->value[0]), isnan(v->value[1])};
    v->difference = v->steps = NAN;
    if (lost[0] || lost[1]) {
        v->why = why[lost[0] ? 0 : 1];
        v->side = lost[0] && lost[1] && !strcmp(why[0], why[1]) ? COMPARED_BOTH
                  : lost[0]                                     ? COMPARED_FIRST
                                                                : COMPARED_SECOND;
    } else if (!kinds_allow(c, jnd)) {
        v->why = "the receivers weight directions differently";
        v->side = COMPARED_BOTH;
    } else {
        v->difference = v->value[1] - v->value[0];
        v->steps = jnd_steps(jnd, v->value[0], v->value[1]);
        v->side = COMPARED_BOTH;
        v->why = isnan(v->steps) ? "a relative difference needs a first value above 0" : NULL;
    }
}

static struct compared compare_bands(const struct comparison *c, const struct jnd *jnd,
                                     const struct metrics_band *const band[2])
{
    const struct metric *metric = jnd_metric(jnd);
    struct compared v = {.why = NULL};
    const char *why[2];
    for (int i = 0; i < 2; i++) {
        v.value[i] = metric_of_band(metric, band[i]);
        v.partly = v.partly || band[i]->validity == METRICS_PARTLY;
        v.doubtful = v.doubtful || doubts_of(&c->file[i].recording->doubts, band[i]);
        why[i] = why_missing(&c->file[i], metric, band[i]);
    }
    finish(&v, c, jnd, why);
    return v;
}

struct compared comparison_octave(const struct comparison *c, size_t pair, const struct jnd *jnd, size_t octave)
{
    const struct metrics_band *const band[2] = {&metrics_of(c, pair, 0)->band[octave],
                                                &metrics_of(c, pair, 1)->band[octave]};
    return compare_bands(c, jnd, band);
}

struct compared comparison_third(const struct comparison *c, size_t pair, const struct jnd *jnd, size_t third)
{
    const struct metrics_band *const band[2] = {&metrics_of(c, pair, 0)->third[third],
                                                &metrics_of(c, pair, 1)->third[third]};
    return compare_bands(c, jnd, band);
}

/* Why the single number is missing: the reason of its first octave that lacks a value or is not valid. */
static const char *why_no_single(const struct compared_file *file, const struct jnd *jnd, const struct metrics *m)
{
    const struct metric *metric = jnd_metric(jnd);
    if (jnd->mean == JND_WHOLE)
        return metrics_reason_text(m->sti_reason ? m->sti_reason : METRICS_BEYOND);
    for (size_t i = jnd->first; i < jnd->first + jnd->count; i++) {
        if (isnan(metric_of_band(metric, &m->band[i])))
            return why_missing(file, metric, &m->band[i]);
        if (m->band[i].validity == METRICS_PARTLY)
            return "an octave of the mean extends beyond the valid band";
    }
    return "it could not be measured";
}

struct compared comparison_single(const struct comparison *c, size_t pair, const struct jnd *jnd)
{
    struct compared v = {.why = NULL};
    const char *why[2];
    for (int i = 0; i < 2; i++) {
        const struct metrics *m = metrics_of(c, pair, i);
        v.value[i] = jnd_single(jnd, m);
        v.doubtful = v.doubtful ||
                     (jnd->mean == JND_WHOLE && doubts_of_single(&c->file[i].recording->doubts, m, jnd_metric(jnd)));
        for (size_t k = jnd->first; k < jnd->first + jnd->count; k++)
            v.doubtful = v.doubtful || doubts_of(&c->file[i].recording->doubts, &m->band[k]);
        why[i] = why_no_single(&c->file[i], jnd, m);
    }
    finish(&v, c, jnd, why);
    return v;
}

bool comparison_shown(const struct comparison *c, const struct jnd *jnd)
{
    const struct metric *metric = jnd_metric(jnd);
    if (!metric->optional)
        return true;
    for (size_t pair = 0; pair < c->count; pair++)
        for (int i = 0; i < 2; i++)
            if (metric_shown(metric, metrics_of(c, pair, i)->band, METRICS_OCTAVES))
                return true;
    return false;
}
