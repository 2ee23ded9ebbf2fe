/* SPDX-License-Identifier: MIT */
/* The summary of a data set as CSV and as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "io/json_build.h"
#include "render/batch/record_octaves.h"
#include "render/batch/summary.h"

/* ---- CSV: a row for each parameter and octave ---- */

static void add_quoted(struct growing_text *t, const char *before, const char *text)
{
    growing_text_add(t, ",\"%s ", before);
    for (; *text; text++)
        growing_text_add(t, *text == '"' ? "\"\"" : "%c", *text == '\r' || *text == '\n' ? ' ' : *text);
    growing_text_add(t, "\"");
}

static void add_number(struct growing_text *t, double value)
{
    growing_text_add(t, isfinite(value) ? ",%.6g" : ",", value);
}

static void add_head(struct growing_text *t, const struct summary *s)
{
    growing_text_add(t, "parameter,unit,octave,rooms,partly_valid,unmeasured,incomplete,mean,standard_deviation,"
                        "percentile_2.5,percentile_97.5,minimum,maximum");
    for (size_t k = 0; k < s->key_count; k++) {
        if (!s->keys[k].choice)
            add_quoted(t, "rank_correlation", s->keys[k].name);
        add_quoted(t, "share", s->keys[k].name);
        add_quoted(t, "chance", s->keys[k].name);
    }
    growing_text_add(t, "\r\n");
}

/* SI, as the values of the manifest. */
static const char *unit_of(const struct metric *metric)
{
    return metric->public.unit ? metric->public.unit : "";
}

static void add_row(struct growing_text *t, const struct summary *s, const struct summary_parameter *p, size_t octave)
{
    const struct summary_cell *cell = &p->cell[octave];
    const struct spread *spread = &cell->spread;
    growing_text_add(t, "%s,%s,", p->metric->name, unit_of(p->metric));
    if (p->octaves > 1)
        growing_text_add(t, "%g", record_octave_hertz(octave));
    growing_text_add(t, ",%zu,%zu,%zu,%zu", spread->count, cell->partly, cell->unmeasured, cell->incomplete);
    const double numbers[] = {spread->mean, spread->deviation, spread->low,
                              spread->high, spread->minimum,   spread->maximum};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add_number(t, numbers[i]);
    for (size_t k = 0; k < s->key_count; k++) {
        if (!s->keys[k].choice)
            add_number(t, cell->effects[k].correlation);
        add_number(t, cell->effects[k].share);
        add_number(t, cell->effects[k].chance);
    }
    growing_text_add(t, "\r\n");
}

char *summary_csv(const struct summary *s)
{
    struct growing_text t = {0};
    add_head(&t, s);
    for (size_t i = 0; i < s->parameter_count; i++)
        for (size_t b = 0; b < s->parameters[i].octaves; b++)
            add_row(&t, s, &s->parameters[i], b);
    return growing_text_take(&t, NULL);
}

/* ---- JSON ---- */

static void add_short(cJSON *json, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    cJSON_AddItemToObject(json, name, isfinite(value) ? cJSON_CreateRaw(text) : cJSON_CreateNull());
}

static cJSON *keys_json(const struct summary *s)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t k = 0; k < s->key_count; k++) {
        const struct summary_key *key = &s->keys[k];
        cJSON *json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "key", key->name);
        cJSON_AddStringToObject(json, "measure", key->choice ? "eta squared" : "rank correlation squared");
        cJSON_AddBoolToObject(json, "varies", !key->constant);
        if (key->choice)
            cJSON_AddItemToObject(json, "choices", cJSON_Duplicate(key->choices, true));
        cJSON_AddItemToArray(list, json);
    }
    return list;
}

static cJSON *pairs_json(const struct summary *s)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < s->pair_count; i++) {
        const char *names[] = {s->keys[s->pairs[i].a].name, s->keys[s->pairs[i].b].name};
        cJSON *json = cJSON_CreateObject();
        cJSON_AddItemToObject(json, "keys", cJSON_CreateStringArray(names, 2));
        add_short(json, "association", s->pairs[i].association);
        cJSON_AddItemToArray(list, json);
    }
    return list;
}

static cJSON *effect_json(const struct summary *s, const struct summary_effect *effect, const struct summary_key *key)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "key", key->name);
    if (!key->choice)
        add_short(json, "rank_correlation", effect->correlation);
    add_short(json, "share", effect->share);
    add_short(json, "chance", effect->chance);
    cJSON_AddBoolToObject(json, "stands_out", summary_stands_out(s, effect));
    if (effect->gap != EFFECT_KNOWN)
        cJSON_AddStringToObject(json, "missing", effect_gap_text(effect->gap));
    return json;
}

static cJSON *cell_json(const struct summary *s, const struct summary_parameter *p, size_t octave)
{
    const struct summary_cell *cell = &p->cell[octave];
    cJSON *json = cJSON_CreateObject();
    if (p->octaves > 1)
        cJSON_AddNumberToObject(json, "octave", record_octave_hertz(octave));
    cJSON_AddNumberToObject(json, "rooms", (double)cell->spread.count);
    cJSON_AddNumberToObject(json, "partly_valid", (double)cell->partly);
    cJSON_AddNumberToObject(json, "unmeasured", (double)cell->unmeasured);
    cJSON_AddNumberToObject(json, "incomplete", (double)cell->incomplete);
    add_short(json, "mean", cell->spread.mean);
    add_short(json, "standard_deviation", cell->spread.deviation);
    add_short(json, "percentile_2.5", cell->spread.low);
    add_short(json, "percentile_97.5", cell->spread.high);
    add_short(json, "minimum", cell->spread.minimum);
    add_short(json, "maximum", cell->spread.maximum);
    cJSON *effects = cJSON_AddArrayToObject(json, "keys");
    for (size_t k = 0; k < s->key_count; k++)
        cJSON_AddItemToArray(effects, effect_json(s, &cell->effects[k], &s->keys[k]));
    return json;
}

static cJSON *parameter_json(const struct summary *s, const struct summary_parameter *p)
{
    cJSON *json = cJSON_CreateObject();
    char *line = summary_line(s, p);
    cJSON_AddStringToObject(json, "parameter", p->metric->name);
    cJSON_AddStringToObject(json, "unit", unit_of(p->metric));
    cJSON_AddItemToObject(json, "line", cJSON_CreateString(line ? line : ""));
    cJSON *bands = cJSON_AddArrayToObject(json, p->octaves > 1 ? "octaves" : "response");
    for (size_t b = 0; b < p->octaves; b++)
        cJSON_AddItemToArray(bands, cell_json(s, p, b));
    if (!line)
        json_noted(NULL);
    free(line);
    return json;
}

char *summary_json(const struct summary *s)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "plan", s->plan);
    cJSON_AddNumberToObject(json, "rooms", (double)s->rooms);
    cJSON_AddNumberToObject(json, "done", (double)s->done);
    cJSON_AddNumberToObject(json, "failed", (double)s->failed);
    cJSON_AddItemToObject(json, "keys", keys_json(s));
    cJSON_AddItemToObject(json, "vary_together", pairs_json(s));
    cJSON *doubtful = cJSON_AddArrayToObject(json, "doubtful_rooms");
    for (size_t b = 0; b < METRICS_OCTAVES; b++)
        cJSON_AddItemToArray(doubtful,
                             s->marks_known ? cJSON_CreateNumber((double)s->doubtful[b]) : cJSON_CreateNull());
    cJSON *parameters = cJSON_AddArrayToObject(json, "parameters");
    for (size_t i = 0; i < s->parameter_count; i++)
        cJSON_AddItemToArray(parameters, parameter_json(s, &s->parameters[i]));
    return json_text(json);
}
