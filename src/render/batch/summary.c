/* SPDX-License-Identifier: MIT */
#include "render/batch/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "dsp/measure/band.h"
#include "dsp/measure/doubts.h"
#include "render/batch/record_octaves.h"
#include "render/batch/summary_keys.h"

enum { SIDECAR_MAX_BYTES = 1 << 26, USUAL_OCTAVE = 3 /* 500 Hz */ };

static int no_memory(const struct manifest *m, struct error *e)
{
    return fail(e, ERROR_MEMORY, "%s: out of memory", m->path);
}

void summary_free(struct summary *s)
{
    for (size_t i = 0; i < s->parameter_count; i++)
        for (size_t b = 0; b < METRICS_OCTAVES; b++)
            free(s->parameters[i].cell[b].effects);
    free(s->parameters);
    summary_keys_free(s);
    free(s->plan);
    memset(s, 0, sizeof *s);
}

/* The parameters that manifests have: those of octaves, and the STI. */
static int list_parameters(struct summary *s)
{
    s->parameters = calloc(band_metric_count + 1, sizeof *s->parameters);
    for (size_t i = 0; s->parameters && i < band_metric_count; i++)
        if (metric_in_data_sets(&band_metrics[i]))
            s->parameters[s->parameter_count++] =
                (struct summary_parameter){.metric = &band_metrics[i], .octaves = METRICS_OCTAVES};
    for (size_t i = 0; s->parameters && i < single_metric_count; i++)
        if (!strcmp(single_metrics[i].name, "sti"))
            s->parameters[s->parameter_count++] =
                (struct summary_parameter){.metric = &single_metrics[i], .octaves = 1};
    return s->parameters ? 0 : -1;
}

/* ---- Values of rooms ---- */

/* Values by room: [row][cell], of all parameters and octaves in their order; NaN: none. */
struct values {
    double *list;
    size_t cells;
};

/* The mean over sources and receivers, and the count of the room in the cell. */
static double take_cell(struct summary_cell *cell, const struct summary_parameter *p, size_t octave,
                        const cJSON *record)
{
    const cJSON *metrics = cJSON_GetObjectItemCaseSensitive(record, "metrics"), *one;
    double sum = 0.0;
    size_t count = 0, missing = 0, partly = 0;
    cJSON_ArrayForEach(one, metrics)
    {
        const bool single = p->octaves == 1;
        const cJSON *number = cJSON_GetObjectItemCaseSensitive(one, p->metric->name);
        const double value = !single                  ? record_octave(one, p->metric->name, octave)
                             : cJSON_IsNumber(number) ? number->valuedouble
                                                      : NAN;
        const bool valid = single || record_validity(record, one, octave) == METRICS_VALID;
        partly += !valid;
        if (valid && isfinite(value)) {
            sum += value;
            count++;
        } else {
            missing++;
        }
    }
    cell->partly += !count && partly;
    cell->unmeasured += !count && !partly;
    cell->incomplete += count && missing;
    return count ? sum / (double)count : NAN;
}

static void take_record(struct summary *s, struct values *v, size_t row, const cJSON *record)
{
    double *at = v->list + row * v->cells;
    for (size_t i = 0; i < s->parameter_count; i++)
        for (size_t b = 0; b < s->parameters[i].octaves; b++)
            *at++ = take_cell(&s->parameters[i].cell[b], &s->parameters[i], b, record);
    s->several = s->several || cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(record, "metrics")) > 1;
}

/* Adds the octaves that the sidecar of a file marks as doubtful. Files without sidecar have
 * none. ERROR_MEMORY. */
static int add_doubts(bool doubtful[METRICS_OCTAVES], bool *known, const struct manifest *m, const cJSON *file,
                      struct error *e)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "file"));
    char *beside = name ? path_with_suffix(name, ".json") : NULL, *path = beside ? path_join(m->folder, beside) : NULL;
    char *text = NULL;
    struct error ignored;
    cJSON *json = path && !file_read_text(path, SIDECAR_MAX_BYTES, &text, &ignored) ? cJSON_Parse(text) : NULL;
    struct doubts doubts = {0};
    const int status = json && doubts_take(&doubts, json) ? no_memory(m, e) : 0;
    *known = *known || json;
    for (size_t b = 0; json && !status && b < METRICS_OCTAVES; b++) {
        const cJSON *rate = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(json, "output"), "rate");
        const struct metrics_settings settings = {.valid_high = 0.0};
        const struct metrics_band band = band_octave(b, cJSON_IsNumber(rate) ? rate->valuedouble : 0.0, &settings);
        doubtful[b] = doubtful[b] || doubts_of(&doubts, &band);
    }
    doubts_free(&doubts);
    cJSON_Delete(json);
    free(text);
    free(path);
    free(beside);
    return status;
}

static int take_doubts(struct summary *s, const struct manifest *m, const cJSON *record, struct error *e)
{
    bool doubtful[METRICS_OCTAVES] = {false};
    const cJSON *file;
    cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(record, "files"))
    {
        if (add_doubts(doubtful, &s->marks_known, m, file, e))
            return -1;
    }
    for (size_t b = 0; b < METRICS_OCTAVES; b++)
        s->doubtful[b] += doubtful[b];
    return 0;
}

static int read_rooms(struct summary *s, struct values *v, const struct manifest *m, struct error *e)
{
    size_t row = 0;
    for (size_t room = 0; room < m->plan->count; room++) {
        if (m->lines[room].state != ROOM_DONE)
            continue;
        char *line = stop_check(e) ? NULL : manifest_line(m, room, e);
        cJSON *record = line ? cJSON_Parse(line) : NULL;
        int status = line && !record ? no_memory(m, e) : line ? 0 : -1;
        if (!status)
            status = summary_keys_take(s, row, record, e);
        if (!status)
            take_record(s, v, row++, record);
        if (!status && m->plan->files != PLAN_SOFA)
            status = take_doubts(s, m, record, e);
        cJSON_Delete(record);
        free(line);
        if (status)
            return -1;
    }
    return 0;
}

/* ---- Spread and effects ---- */

static int fill_cell(struct summary *s, struct summary_cell *cell, const struct values *v, size_t index, double *values,
                     size_t *rows, struct error *e)
{
    size_t count = 0;
    for (size_t row = 0; row < s->done; row++) {
        const double value = v->list[row * v->cells + index];
        if (isfinite(value)) {
            values[count] = value;
            rows[count++] = row;
        }
    }
    cell->effects = calloc(s->key_count + 1, sizeof *cell->effects);
    if (!cell->effects)
        return fail(e, ERROR_MEMORY, "%s: out of memory", s->plan);
    for (size_t k = 0; k < s->key_count; k++)
        if (stop_check(e) || summary_effect_of(&cell->effects[k], &s->keys[k], values, rows, count, e))
            return -1;
    cell->spread = spread_of(values, count);
    return 0;
}

static int fill_cells(struct summary *s, const struct values *v, struct error *e)
{
    double *values = calloc(s->done + 1, sizeof *values);
    size_t *rows = calloc(s->done + 1, sizeof *rows), index = 0;
    int status = values && rows ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", s->plan);
    for (size_t i = 0; i < s->parameter_count; i++)
        for (size_t b = 0; b < s->parameters[i].octaves && !status; b++)
            status = fill_cell(s, &s->parameters[i].cell[b], v, index++, values, rows, e);
    free(values);
    free(rows);
    return status;
}

int summary_make(struct summary *s, const struct manifest *m, struct error *e)
{
    struct values v = {0};
    *s = (struct summary){
        .plan = text_copy(path_name(m->plan->path)), .rooms = m->plan->count, .done = m->done, .failed = m->failed};
    if (!s->plan || list_parameters(s))
        return no_memory(m, e);
    for (size_t i = 0; i < s->parameter_count; i++)
        v.cells += s->parameters[i].octaves;
    v.list = calloc(s->done * v.cells + 1, sizeof *v.list);
    int status = v.list ? 0 : no_memory(m, e);
    status = status || summary_keys_make(s, m->plan, e) || read_rooms(s, &v, m, e) || summary_keys_compare(s, e) ||
             fill_cells(s, &v, e);
    free(v.list);
    return status ? -1 : 0;
}

/* ---- In words ---- */

const char *effect_gap_text(enum effect_gap gap)
{
    static const char *const texts[EFFECT_GAPS] = {[EFFECT_KNOWN] = "",
                                                   [EFFECT_FEW] = "too few rooms",
                                                   [EFFECT_CONSTANT] = "the key does not vary in these rooms",
                                                   [EFFECT_FLAT] = "the parameter does not vary in these rooms"};
    return texts[gap];
}

/* Bonferroni's correction: any of the keys may reach such a share by chance. */
bool summary_stands_out(const struct summary *s, const struct summary_effect *effect)
{
    return effect->gap == EFFECT_KNOWN && effect->chance * (double)s->key_count < SUMMARY_CHANCE;
}

size_t summary_leaders(const struct summary *s, const struct summary_cell *cell, size_t *keys, size_t most)
{
    size_t count = 0;
    for (size_t k = 0; k < s->key_count; k++) {
        if (!summary_stands_out(s, &cell->effects[k]))
            continue;
        size_t at = count;
        while (at > 0 && cell->effects[k].share > cell->effects[keys[at - 1]].share)
            at--;
        if (at >= most)
            continue;
        count += count < most;
        for (size_t i = count - 1; i > at; i--)
            keys[i] = keys[i - 1];
        keys[at] = k;
    }
    return count;
}

size_t summary_octave(const struct summary_parameter *p)
{
    for (size_t away = 0; p->octaves > 1 && away < METRICS_OCTAVES; away++) {
        if (USUAL_OCTAVE >= away && p->cell[USUAL_OCTAVE - away].spread.count)
            return USUAL_OCTAVE - away;
        if (USUAL_OCTAVE + away < METRICS_OCTAVES && p->cell[USUAL_OCTAVE + away].spread.count)
            return USUAL_OCTAVE + away;
    }
    return p->octaves > 1 ? USUAL_OCTAVE : 0;
}

static bool is_known(const struct summary *s, const struct summary_cell *cell)
{
    for (size_t k = 0; k < s->key_count; k++)
        if (cell->effects[k].gap == EFFECT_KNOWN)
            return true;
    return false;
}

static void add_shares(struct growing_text *t, const struct summary *s, const struct summary_cell *cell)
{
    enum { NAMED = 3 };
    size_t keys[NAMED];
    const size_t count = summary_leaders(s, cell, keys, NAMED);
    for (size_t i = 0; i < count; i++)
        growing_text_add(t, i ? ", %.0f %% from %s" : "; %.0f %% of the variance from %s",
                         100.0 * cell->effects[keys[i]].share, s->keys[keys[i]].name);
    if (!count && is_known(s, cell))
        growing_text_add(t, "; no key explains more of the variance than chance");
    else if (!count && s->key_count && cell->spread.count < SPREAD_SHARES_LEAST)
        growing_text_add(t, "; too few rooms for shares of the variance");
}

const char *summary_hertz(char text[SUMMARY_HERTZ], size_t octave)
{
    const double hertz = record_octave_hertz(octave);
    snprintf(text, SUMMARY_HERTZ, hertz < 1000.0 ? "%g Hz" : "%g kHz", hertz < 1000.0 ? hertz : 1e-3 * hertz);
    return text;
}

char *summary_line(const struct summary *s, const struct summary_parameter *p)
{
    const size_t octave = summary_octave(p);
    const struct summary_cell *cell = &p->cell[octave];
    const struct metric_format *f = &p->metric->text;
    char hertz[SUMMARY_HERTZ];
    const char *between = *f->unit ? " " : "";
    struct growing_text t = {0};
    growing_text_add(&t, "%s", p->metric->symbol);
    if (!cell->spread.count) {
        growing_text_add(&t, p->octaves > 1 ? ": no room has it in a valid octave" : ": no room has it");
        return growing_text_take(&t, NULL);
    }
    if (p->octaves > 1)
        growing_text_add(&t, " at %s", summary_hertz(hertz, octave));
    growing_text_add(&t, ": %.*f", f->decimals, f->scale * cell->spread.mean);
    if (cell->spread.count > 1)
        growing_text_add(&t, " ± %.*f", f->decimals, f->scale * cell->spread.deviation);
    growing_text_add(&t, "%s%s", between, f->unit);
    if (cell->spread.count < s->done)
        growing_text_add(&t, " in %zu of %zu rooms", cell->spread.count, s->done);
    add_shares(&t, s, cell);
    return growing_text_take(&t, NULL);
}
