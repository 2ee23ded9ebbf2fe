/* SPDX-License-Identifier: MIT */
/* Differences between responses in just noticeable differences. */
#include <math.h>

#include "app/api/handles.h"
#include "dsp/measure/comparison.h"

_Static_assert(AULA_SINGLE_NUMBER > METRICS_BROAD, "the single number is no band");

static const struct jnd *jnd_of(enum aula_metric metric)
{
    const struct metric *named = metric_of_number((size_t)metric);
    return named ? jnd_find(named->name) : NULL;
}

double aula_jnd(enum aula_metric metric, double first)
{
    const struct jnd *jnd = jnd_of(metric);
    if (!jnd)
        return NAN;
    return jnd->relative ? jnd->step * first : jnd->step;
}

const char *aula_jnd_source(enum aula_metric metric)
{
    const struct jnd *jnd = jnd_of(metric);
    return jnd ? jnd->source : NULL;
}

double aula_metrics_single(const struct aula_metrics *metrics, size_t channel, enum aula_metric metric)
{
    const struct jnd *jnd = jnd_of(metric);
    return jnd && channel < aula_metrics_channels(metrics) ? jnd_single(jnd, &metrics->channel[channel]) : NAN;
}

/* Two channels side by side, whatever their names. */
struct side_by_side {
    struct comparison comparison;
    struct channel_pair pair;
};

static bool open_pair(struct side_by_side *s, const struct aula_metrics *first, size_t first_channel,
                      const struct aula_metrics *second, size_t second_channel)
{
    if (first_channel >= aula_metrics_channels(first) || second_channel >= aula_metrics_channels(second))
        return false;
    s->pair = (struct channel_pair){{first_channel, second_channel}};
    s->comparison = (struct comparison){.file = {{.recording = &first->facts, .channels = first->channel},
                                                 {.recording = &second->facts, .channels = second->channel}},
                                        .pairs = &s->pair,
                                        .count = 1};
    return true;
}

/* *why: "" if compared. Returns NaN with *why NULL beyond the last. */
static double compare(const char **why, const struct side_by_side *s, size_t band, const struct jnd *jnd)
{
    struct compared v = {.steps = NAN};
    *why = NULL;
    for (int i = 0; i < 2; i++)
        if (s->comparison.file[i].recording->is_signal || s->comparison.file[i].channels[s->pair.channel[i]].swept ||
            is_recorded_sound(&s->comparison.file[i].channels[s->pair.channel[i]]))
            *why = "this is a recorded signal, not an impulse response";
    if (*why)
        return NAN;
    if (!jnd || (band >= METRICS_OCTAVES && band != AULA_SINGLE_NUMBER))
        return NAN;
    v = band == AULA_SINGLE_NUMBER ? comparison_single(&s->comparison, 0, jnd)
                                   : comparison_octave(&s->comparison, 0, jnd, band);
    *why = v.why ? v.why : "";
    return v.steps;
}

double aula_metrics_compare(const struct aula_metrics *first, size_t first_channel, const struct aula_metrics *second,
                            size_t second_channel, size_t band, enum aula_metric metric)
{
    struct side_by_side s;
    const char *why;
    return open_pair(&s, first, first_channel, second, second_channel) ? compare(&why, &s, band, jnd_of(metric)) : NAN;
}

const char *aula_metrics_compare_missing(const struct aula_metrics *first, size_t first_channel,
                                         const struct aula_metrics *second, size_t second_channel, size_t band,
                                         enum aula_metric metric)
{
    struct side_by_side s;
    const char *why = NULL;
    if (open_pair(&s, first, first_channel, second, second_channel))
        compare(&why, &s, band, jnd_of(metric));
    return why;
}

double aula_metrics_compare_sti(const struct aula_metrics *first, size_t first_channel,
                                const struct aula_metrics *second, size_t second_channel)
{
    struct side_by_side s;
    const char *why;
    return open_pair(&s, first, first_channel, second, second_channel)
               ? compare(&why, &s, AULA_SINGLE_NUMBER, jnd_find("sti"))
               : NAN;
}
