/* SPDX-License-Identifier: MIT */
/* Single-number parameters, STI with levels, and stage support of aula metrics. */
#include "app/metrics_speech.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "dsp/measure/doubts.h"
#include "dsp/measure/metrics_table.h"

static const char *const voices[METRICS_VOICES] = {"male", "female"};

static void print_octaves(const char *name, const double values[SPEECH_BANDS], int decimals)
{
    printf("  %-9s", name);
    for (int k = 0; k < SPEECH_BANDS; k++)
        if (isfinite(values[k]))
            printf("%8.*f", decimals, values[k]);
        else
            printf("%8s", "-");
    printf("\n");
}

static void print_heads(void)
{
    static const char *const heads[SPEECH_BANDS] = {"125", "250", "500", "1k", "2k", "4k", "8k"};
    printf("  %-9s", "Hz");
    for (int k = 0; k < SPEECH_BANDS; k++)
        printf("%8s", heads[k]);
    printf("\n");
}

static void print_conditions(const struct metrics_wanted *w)
{
    const struct metrics_conditions *c = &w->conditions;
    printf("IEC 60268-16:2011, %s", voices[c->voice]);
    if (!w->levels) {
        printf(" weights; room alone: no noise, no masking");
        return;
    }
    if (isfinite(w->weighted))
        printf(", speech of %.1f dB(A)", w->weighted);
    else
        printf(", speech level by octave");
    printf(c->at_one_metre ? " 1 m in front of the talker" : " at the listener");
    printf(w->noise ? ", with noise" : ", no noise");
    printf(c->unmasked ? ", no masking, no threshold" : ", masking and reception threshold");
}

static void print_conditioned(const struct recording *r, const struct metrics *m, const struct metrics_wanted *w)
{
    struct metrics_speech s;
    metrics_speech(&s, m, &w->conditions);
    if (s.reason) {
        printf("  no STI (");
        print_conditions(w);
        printf("): %s\n", metrics_reason_text(s.reason));
        return;
    }
    printf("  STI    %.2f (", s.sti);
    print_conditions(w);
    printf(")%s\n", doubts_of_single(&r->doubts, m, &single_metrics[0]) ? " ?" : "");
    print_heads();
    print_octaves("MTI", s.mti, 2);
    if (!w->levels)
        return;
    print_octaves("speech dB", s.speech, 1);
    if (w->noise)
        print_octaves("noise dB", s.noise, 1);
    if (!w->conditions.unmasked)
        print_octaves("masked dB", s.masking, 1);
}

static int print_single(const struct recording *r, const struct metrics *m, const struct metric *metric,
                        struct error *e)
{
    const struct metric_format *format = &metric->text;
    const double value = metric_of_response(metric, m);
    if (!format->unit)
        return 0;
    if (!isnan(value)) {
        printf("  %-6s %.*f%s%s", metric->symbol, format->decimals, format->scale * value, *format->unit ? " " : "",
               format->unit);
        if (metric->note)
            printf(" (%s)", metric->note);
        printf("%s\n", doubts_of_single(&r->doubts, m, metric) ? " ?" : "");
        return 0;
    }
    if (metric->optional)
        return 0;
    char *why = metric->why ? metric->why(r, m) : text_copy("not measured");
    if (!why)
        return fail(e, ERROR_MEMORY, "out of memory");
    printf("  no %s: %s\n", metric->symbol, why);
    free(why);
    return 0;
}

int metrics_print_single(const struct recording *r, const struct metrics *m, const struct metrics_wanted *w,
                         struct error *e)
{
    for (size_t i = 0; i < single_metric_count; i++)
        if (print_single(r, m, &single_metrics[i], e))
            return -1;
    if (!m->sti_reason) {
        print_heads();
        print_octaves("MTI", m->mti, 2);
    }
    if (w->speech)
        print_conditioned(r, m, w);
    return 0;
}

/* NULL when a receiver is at the distance of stage support; else why not, or why that is not known, in `text`. */
static const char *metrics_stage_geometry(char text[128], const struct recording *r, size_t channel)
{
    static const double metre = 1.0, off = 0.05; /* m */
    const double distance = r->distance[channel];
    if (isnan(distance))
        snprintf(text, 128, "the distance to the source is unknown; 1 m is assumed");
    else if (!(fabs(distance - metre) <= off))
        snprintf(text, 128, "no stage support: the receiver is %.2f m from the source, not 1 m", distance);
    else
        return NULL;
    return text;
}

static void print_mean(const char *name, double mean, size_t count)
{
    if (isnan(mean))
        printf("  no %s: not measurable in any octave from 250 Hz to 2 kHz\n", name);
    else if (count < STAGE_BANDS)
        printf("  %s %.1f dB (mean of only %zu of the octaves 250 Hz to 2 kHz)\n", name, mean, count);
    else
        printf("  %s %.1f dB (mean of the octaves 250 Hz to 2 kHz)\n", name, mean);
}

void metrics_print_stage(const struct recording *r, size_t channel, const struct metrics *m)
{
    char text[128];
    const char *doubt = metrics_stage_geometry(text, r, channel);
    print_mean("ST_early", m->stage.early_mean, m->stage.early_count);
    print_mean("ST_late", m->stage.late_mean, m->stage.late_count);
    if (doubt)
        printf("  %s\n", doubt);
}

static void add_octaves(cJSON *json, const char *name, const double *values, int count)
{
    cJSON *array = cJSON_AddArrayToObject(json, name);
    for (int k = 0; k < count; k++)
        cJSON_AddItemToArray(array, isfinite(values[k]) ? cJSON_CreateNumber(values[k]) : cJSON_CreateNull());
}

static void add_number(cJSON *json, const char *name, double value)
{
    cJSON_AddItemToObject(json, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

cJSON *metrics_speech_json(const struct metrics *m, const struct metrics_wanted *w)
{
    const struct metrics_conditions *c = &w->conditions;
    cJSON *json = cJSON_CreateObject();
    struct metrics_speech s;
    metrics_speech(&s, m, c);
    cJSON_AddStringToObject(json, "standard", "IEC 60268-16:2011");
    cJSON_AddStringToObject(json, "voice", voices[c->voice]);
    add_number(json, "sti", s.sti);
    if (s.reason)
        cJSON_AddStringToObject(json, "no_sti", metrics_reason_text(s.reason));
    add_octaves(json, "modulation_transfer_indices", s.mti, SPEECH_BANDS);
    cJSON_AddBoolToObject(json, "masking_and_threshold", !c->unmasked);
    if (!w->levels)
        return json;
    add_number(json, "level_given", w->weighted);
    cJSON_AddBoolToObject(json, "level_at_one_metre", c->at_one_metre);
    add_octaves(json, "speech_level", s.speech, SPEECH_BANDS);
    add_octaves(json, "noise_level", s.noise, SPEECH_BANDS);
    add_octaves(json, "masked_level", s.masking, SPEECH_BANDS);
    return json;
}

cJSON *metrics_stage_json(const struct recording *r, size_t channel, const struct metrics *m)
{
    char text[128];
    const char *doubt = metrics_stage_geometry(text, r, channel);
    cJSON *json = cJSON_CreateObject();
    add_number(json, "distance", r->distance[channel]);
    add_octaves(json, "st_early", m->stage.early, STAGE_BANDS);
    add_octaves(json, "st_late", m->stage.late, STAGE_BANDS);
    add_number(json, "st_early_mean", m->stage.early_mean);
    cJSON_AddNumberToObject(json, "st_early_octaves", (double)m->stage.early_count);
    add_number(json, "st_late_mean", m->stage.late_mean);
    cJSON_AddNumberToObject(json, "st_late_octaves", (double)m->stage.late_count);
    if (doubt)
        cJSON_AddStringToObject(json, "note", doubt);
    return json;
}
