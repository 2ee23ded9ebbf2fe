/* SPDX-License-Identifier: MIT */
/* Comparisons as JSON and as CSV on standard output; values in SI units. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/compare.h"
#include "io/json_build.h"

static void add_number(cJSON *json, const char *name, double value)
{
    cJSON_AddItemToObject(json, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static const char *side_name(enum compared_side side)
{
    static const char *const names[] = {"first", "second", "both"};
    return names[side];
}

static cJSON *value_json(const struct compared *v)
{
    cJSON *json = cJSON_CreateObject();
    add_number(json, "first", v->value[0]);
    add_number(json, "second", v->value[1]);
    add_number(json, "difference", v->difference);
    add_number(json, "jnd", v->steps);
    if (v->why) {
        cJSON_AddStringToObject(json, "missing", v->why);
        cJSON_AddStringToObject(json, "missing_in", side_name(v->side));
    }
    if (v->doubtful)
        cJSON_AddBoolToObject(json, "doubtful", true);
    return json;
}

static struct compared band_value(const struct comparison *c, size_t pair, const struct jnd *jnd, bool third,
                                  size_t band)
{
    return third ? comparison_third(c, pair, jnd, band) : comparison_octave(c, pair, jnd, band);
}

static const struct metrics_band *band_of(const struct comparison *c, size_t pair, int side, bool third, size_t band)
{
    const struct metrics *m = &c->file[side].channels[c->pairs[pair].channel[side]];
    return third ? &m->third[band] : &m->band[band];
}

/* The weaker of both validities. */
static const char *validity(const struct comparison *c, size_t pair, bool third, size_t band)
{
    static const char *const words[] = {"yes", "partly", "no"};
    const enum metrics_validity a = band_of(c, pair, 0, third, band)->validity,
                                b = band_of(c, pair, 1, third, band)->validity;
    return words[a > b ? a : b];
}

static cJSON *bands_json(const struct comparison *c, size_t pair, bool third)
{
    cJSON *bands = cJSON_CreateArray();
    for (size_t b = 0; b < (third ? (size_t)METRICS_THIRDS : (size_t)METRICS_OCTAVES); b++) {
        cJSON *band = cJSON_CreateObject();
        cJSON_AddNumberToObject(band, "centre", band_of(c, pair, 0, third, b)->centre);
        cJSON_AddStringToObject(band, "valid", validity(c, pair, third, b));
        for (size_t i = 0; i < jnd_count; i++) {
            if (jnds[i].mean == JND_WHOLE || !comparison_shown(c, &jnds[i]))
                continue;
            const struct compared v = band_value(c, pair, &jnds[i], third, b);
            cJSON_AddItemToObject(band, jnds[i].name, value_json(&v));
        }
        cJSON_AddItemToArray(bands, band);
    }
    return bands;
}

static cJSON *pair_json(const struct comparison *c, size_t pair, bool third_octaves)
{
    cJSON *json = cJSON_CreateObject();
    char receiver[128];
    cJSON_AddStringToObject(json, "receiver", comparison_receiver(c, pair, receiver));
    cJSON_AddNumberToObject(json, "first_channel", (double)c->pairs[pair].channel[0] + 1.0);
    cJSON_AddNumberToObject(json, "second_channel", (double)c->pairs[pair].channel[1] + 1.0);
    cJSON *single = cJSON_AddObjectToObject(json, "single_numbers");
    for (size_t i = 0; i < jnd_count; i++)
        if (comparison_shown(c, &jnds[i])) {
            const struct compared v = comparison_single(c, pair, &jnds[i]);
            cJSON_AddItemToObject(single, jnds[i].name, value_json(&v));
        }
    cJSON_AddItemToObject(json, "octave_bands", bands_json(c, pair, false));
    if (third_octaves)
        cJSON_AddItemToObject(json, "third_octave_bands", bands_json(c, pair, true));
    return json;
}

/* The table of just noticeable differences. */
static cJSON *table_json(void)
{
    cJSON *table = cJSON_CreateObject();
    for (size_t i = 0; i < jnd_count; i++) {
        cJSON *row = cJSON_AddObjectToObject(table, jnds[i].name);
        char octaves[JND_OCTAVES_TEXT];
        cJSON_AddNumberToObject(row, "step", jnds[i].step);
        cJSON_AddBoolToObject(row, "relative", jnds[i].relative);
        cJSON_AddStringToObject(row, "single_number", jnd_octaves(octaves, &jnds[i]));
        cJSON_AddStringToObject(row, "origin", jnd_origin_name(jnds[i].origin));
        cJSON_AddStringToObject(row, "source", jnds[i].source);
    }
    return table;
}

int compare_print_json(const struct compared_files *c, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "first", c->files[0].path);
    cJSON_AddItemToObject(json, "just_noticeable_differences", table_json());
    cJSON *list = cJSON_AddArrayToObject(json, "comparisons");
    for (size_t i = 0; i + 1 < c->count; i++) {
        const struct comparison *comparison = &c->comparisons[i];
        char *summary = comparison_summary(comparison);
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "file", comparison->file[1].path);
        cJSON_AddItemToObject(item, "summary", summary ? cJSON_CreateString(summary) : NULL);
        if (comparison->note_count)
            cJSON_AddItemToObject(
                item, "notes",
                cJSON_CreateStringArray((const char *const *)comparison->notes, (int)comparison->note_count));
        cJSON *receivers = cJSON_AddArrayToObject(item, "receivers");
        for (size_t pair = 0; pair < comparison->count; pair++)
            cJSON_AddItemToArray(receivers, pair_json(comparison, pair, c->third_octaves));
        cJSON_AddItemToArray(list, item);
        free(summary);
    }
    return json_print(json, e);
}

static void csv_text(const char *text)
{
    putchar('"');
    for (; text && *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void csv_number(double value)
{
    if (isnan(value))
        printf(",");
    else
        printf(",%.9g", value);
}

/* valid: NULL for single numbers */
static void csv_row(const struct comparison *c, size_t pair, const char *band, const char *valid, const struct jnd *jnd,
                    const struct compared *v)
{
    char receiver[128];
    csv_text(c->file[1].path);
    putchar(',');
    csv_text(comparison_receiver(c, pair, receiver));
    printf(",%zu,%zu,%s,%s,%s", c->pairs[pair].channel[0] + 1, c->pairs[pair].channel[1] + 1, band, valid ? valid : "",
           jnd->name);
    csv_number(v->value[0]);
    csv_number(v->value[1]);
    csv_number(v->difference);
    csv_number(v->steps);
    printf(",%s,", v->doubtful ? "yes" : "no");
    if (v->why) {
        csv_text(v->why);
        printf(",%s", side_name(v->side));
    } else {
        putchar(',');
    }
    printf("\n");
}

static void csv_pair(const struct comparison *c, size_t pair, bool third)
{
    for (size_t b = 0; b < (third ? (size_t)METRICS_THIRDS : (size_t)METRICS_OCTAVES); b++)
        for (size_t i = 0; i < jnd_count; i++) {
            char band[24];
            if (jnds[i].mean == JND_WHOLE || !comparison_shown(c, &jnds[i]))
                continue;
            const struct compared v = band_value(c, pair, &jnds[i], third, b);
            snprintf(band, sizeof band, "%g", band_of(c, pair, 0, third, b)->centre);
            csv_row(c, pair, band, validity(c, pair, third, b), &jnds[i], &v);
        }
    for (size_t i = 0; i < jnd_count; i++)
        if (comparison_shown(c, &jnds[i])) {
            const struct compared v = comparison_single(c, pair, &jnds[i]);
            csv_row(c, pair, "single", NULL, &jnds[i], &v);
        }
}

int compare_print_csv(const struct compared_files *c, struct error *e)
{
    (void)e;
    printf("file,receiver,first_channel,second_channel,band,valid,parameter,first,second,difference,jnd,doubtful,"
           "missing,missing_in\n");
    for (size_t i = 0; i + 1 < c->count; i++)
        for (size_t pair = 0; pair < c->comparisons[i].count; pair++)
            csv_pair(&c->comparisons[i], pair, c->third_octaves);
    return 0;
}
