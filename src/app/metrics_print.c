/* SPDX-License-Identifier: MIT */
/* Acoustic parameters as a table, as CSV and as JSON. */
#include "app/metrics_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/metrics.h"
#include "app/metrics_speech.h"
#include "app/target_print.h"
#include "base/sanitize_text.h"
#include "dsp/measure/metrics_table.h"
#include "io/json_build.h"

/* Whether the metric is a column of the table of these bands. */
static bool is_column(const struct metric *metric, const struct metrics_band *rows, size_t count)
{
    return metric->text.unit && metric_shown(metric, rows, count);
}

/* `doubts`: bits of enum doubt. */
static void print_band(const struct metrics_band *b, unsigned doubts, const struct metrics_band *rows, size_t count)
{
    char text[16];
    printf("  %-6s", metrics_band_text(text, b));
    for (size_t i = 0; i < band_metric_count; i++) {
        const struct metric_format *format = &band_metrics[i].text;
        const double value = format->scale * metric_of_band(&band_metrics[i], b);
        if (!is_column(&band_metrics[i], rows, count))
            continue;
        if (isnan(value))
            printf("%8s", "-");
        else
            printf("%8.*f", format->decimals, value);
    }
    printf("%s%s\n", b->validity == METRICS_PARTLY ? " *" : "", doubts ? " ?" : "");
}

static void print_doubts(const struct doubts *d, unsigned found)
{
    for (unsigned doubt = 1; doubt < DOUBTS_END; doubt <<= 1) {
        char *text = found & doubt ? doubt_text(d, (enum doubt)doubt) : NULL;
        if (text)
            printf("  ? %s\n", text);
        free(text);
    }
}

static void print_heads(const struct metrics_band *rows, size_t count)
{
    printf("  %-6s", "Hz");
    for (size_t i = 0; i < band_metric_count; i++) {
        const char *unit = band_metrics[i].text.unit;
        char head[24];
        if (!is_column(&band_metrics[i], rows, count))
            continue;
        snprintf(head, sizeof head, "%s%s%s", band_metrics[i].symbol, *unit ? " " : "", unit);
        printf("%8s", head);
    }
    printf("\n");
}

/* Fills the rows of the table: octaves, or third octaves instead, and the broad band. Returns their number. */
static size_t rows_of(struct metrics_band rows[METRICS_THIRDS + 1], const struct metrics *m,
                      const struct metrics_wanted *w)
{
    const size_t count = w->third_octaves ? METRICS_THIRDS : METRICS_OCTAVES;
    memcpy(rows, w->third_octaves ? m->third : m->band, count * sizeof *rows);
    rows[count] = m->band[METRICS_BROAD];
    return count + 1;
}

static int print_channel(const struct measured_file *f, size_t c, const struct metrics_wanted *w, struct error *e)
{
    const struct recording *r = &f->recording;
    const struct metrics *m = &f->channel[c];
    struct metrics_band rows[METRICS_THIRDS + 1];
    const size_t count = rows_of(rows, m, w);
    bool marked = false;
    unsigned doubted = 0;
    printf("%s: channel %zu", sanitize_name(f->path), c + 1);
    if (r->channel_name[c])
        printf(", %s", sanitize_name(r->channel_name[c]));
    if (r->source)
        printf(", source %s", sanitize_name(r->source));
    printf("\n  %.3f s at %g Hz, valid from %.0f to %.0f Hz, %s; ", (double)r->audio.frames / m->rate, m->rate,
           r->valid_low, r->valid_high, r->calibrated ? "calibrated" : "not calibrated");
    if (isnan(m->arrival))
        printf("%s\n\n", metrics_reason_text(METRICS_SILENT));
    else
        printf("direct sound after %.2f ms\n\n", 1000.0 * m->arrival);
    print_heads(rows, count);
    for (size_t i = 0; i < count; i++) {
        const unsigned doubts = doubts_of(&r->doubts, &rows[i]);
        print_band(&rows[i], doubts, rows, count);
        doubted |= doubts;
        marked = marked || rows[i].validity == METRICS_PARTLY;
    }
    printf("\n");
    if (marked)
        printf("  * the band extends beyond the valid band\n");
    print_doubts(&r->doubts, doubted);
    metrics_print_missing(rows, count);
    if (w->stage)
        metrics_print_stage(r, c, m);
    return metrics_print_single(r, m, w, e);
}

int metrics_print_table(const struct measured_file *files, size_t count, const struct metrics_wanted *w,
                        struct error *e)
{
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < files[i].recording.audio.channels; c++) {
            if (i || c)
                printf("\n");
            if (print_channel(&files[i], c, w, e))
                return -1;
        }
    return 0;
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

static const char *validity_text(enum metrics_validity validity)
{
    static const char *const words[] = {"yes", "partly", "no"};
    return words[validity];
}

/* Metrics that only some responses have come last. */
static void csv_band(const struct metrics_band *b, bool optional)
{
    for (size_t i = 0; i < band_metric_count; i++)
        if (band_metrics[i].optional == optional)
            csv_number(metric_of_band(&band_metrics[i], b));
}

static void csv_band_names(bool optional)
{
    for (size_t i = 0; i < band_metric_count; i++)
        if (band_metrics[i].optional == optional)
            printf(",%s", band_metrics[i].name);
}

static void csv_singles(const struct metrics *m, bool optional)
{
    for (size_t i = 0; i < single_metric_count; i++)
        if (single_metrics[i].optional == optional)
            csv_number(metric_of_response(&single_metrics[i], m));
}

static void csv_single_names(bool optional)
{
    for (size_t i = 0; i < single_metric_count; i++)
        if (single_metrics[i].optional == optional)
            printf(",%s", single_metrics[i].name);
}

/* Columns for speech and stage support, of the octave and of the whole response. */
static void csv_octave(const struct metrics *m, const struct metrics_speech *speech, const struct metrics_band *b,
                       unsigned doubts)
{
    size_t octave = 0;
    while (octave < METRICS_OCTAVES && m->band[octave].centre != b->centre)
        octave++;
    const bool spoken = octave >= 1 && octave <= SPEECH_BANDS, staged = octave >= 2 && octave < 2 + STAGE_BANDS;
    csv_singles(m, false);
    csv_number(spoken ? m->mti[octave - 1] : NAN);
    csv_number(staged ? m->stage.early[octave - 2] : NAN);
    csv_number(staged ? m->stage.late[octave - 2] : NAN);
    csv_number(speech->sti);
    csv_number(spoken ? speech->mti[octave - 1] : NAN);
    printf(",%s", doubt_names(doubts));
    csv_singles(m, true);
    csv_band(b, true);
}

static void csv_channel(const struct measured_file *file, size_t c, const struct metrics_wanted *w)
{
    const struct metrics *m = &file->channel[c];
    struct metrics_speech speech = {.sti = NAN};
    for (size_t k = 0; k < SPEECH_BANDS; k++)
        speech.mti[k] = NAN;
    if (w->speech)
        metrics_speech(&speech, m, &w->conditions);
    struct metrics_band rows[METRICS_THIRDS + 1];
    const size_t count = rows_of(rows, m, w);
    for (size_t k = 0; k < count; k++) {
        const struct metrics_band *b = &rows[k];
        csv_text(file->path);
        printf(",%zu,", c + 1);
        csv_text(file->recording.channel_name[c]);
        if (b->centre > 0.0)
            printf(",%g", b->centre);
        else
            printf(",broad");
        printf(",%s", validity_text(b->validity));
        csv_number(m->arrival);
        csv_band(b, false);
        csv_octave(m, &speech, b, doubts_of(&file->recording.doubts, b));
        printf("\n");
    }
}

int metrics_print_csv(const struct measured_file *files, size_t count, const struct metrics_wanted *w, struct error *e)
{
    (void)e;
    printf("file,channel,receiver,band,valid,arrival");
    csv_band_names(false);
    csv_single_names(false);
    printf(",mti,st_early,st_late,speech_sti,speech_mti,doubtful");
    csv_single_names(true);
    csv_band_names(true);
    printf("\n");
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < files[i].recording.audio.channels; c++)
            csv_channel(&files[i], c, w);
    return 0;
}

static void json_number(cJSON *json, const char *name, double value)
{
    cJSON_AddItemToObject(json, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void json_gaps(cJSON *json, const struct metrics_band *b)
{
    for (size_t i = GAP_EDT; i < METRIC_GAPS; i++) {
        const enum metrics_reason reason = metric_gap_reason(&metric_gaps[i], b);
        if (reason)
            cJSON_AddStringToObject(json, metric_gaps[i].name, metrics_reason_text(reason));
    }
    for (size_t i = GAP_EDT; i < METRIC_GAPS; i++) {
        const double length = metric_gap_length(&metric_gaps[i], b);
        if (metric_gaps[i].length_name && isfinite(length))
            cJSON_AddNumberToObject(json, metric_gaps[i].length_name, length);
    }
}

static void json_doubts(cJSON *json, const char *name, unsigned doubts)
{
    cJSON *names = doubts ? cJSON_AddArrayToObject(json, name) : NULL;
    for (unsigned doubt = 1; doubt < DOUBTS_END; doubt <<= 1)
        if (doubts & doubt)
            cJSON_AddItemToArray(names, cJSON_CreateString(doubt_name((enum doubt)doubt)));
}

static cJSON *band_json(const struct recording *r, const struct metrics *m, const struct metrics_band *b)
{
    cJSON *json = cJSON_CreateObject();
    if (b->centre > 0.0)
        cJSON_AddNumberToObject(json, "centre", b->centre);
    json_number(json, "low", b->low);
    json_number(json, "high", b->high);
    cJSON_AddStringToObject(json, "valid", validity_text(b->validity));
    json_doubts(json, "doubtful", doubts_of(&r->doubts, b));
    for (size_t i = 0; i < band_metric_count; i++)
        if (metric_shown(&band_metrics[i], m->band, METRICS_BANDS))
            json_number(json, band_metrics[i].name, metric_of_band(&band_metrics[i], b));
    json_number(json, "cut", b->cut);
    json_gaps(json, b);
    json_number(json, "shortest_edt", b->shortest_edt);
    json_number(json, "shortest_t20_t30", b->shortest_late);
    return json;
}

/* Adds the metric and "NAME_doubtful", or null and the member "no_NAME" with the reason. */
static void json_single(cJSON *json, const struct recording *r, const struct metrics *m, const struct metric *metric)
{
    const double value = metric_of_response(metric, m);
    char name[32];
    if (metric->optional && isnan(value))
        return;
    json_number(json, metric->name, value);
    if (!isnan(value)) {
        snprintf(name, sizeof name, "%s_doubtful", metric->name);
        json_doubts(json, name, doubts_of_single(&r->doubts, m, metric));
    }
    if (!isnan(value) || !metric->why)
        return;
    char *why = metric->why(r, m);
    snprintf(name, sizeof name, "no_%s", metric->name);
    cJSON_AddStringToObject(json, name, why);
    free(why);
}

static cJSON *channel_json(const struct recording *r, size_t c, const struct metrics *m, const struct metrics_wanted *w)
{
    cJSON *json = cJSON_CreateObject();
    if (r->channel_name[c])
        cJSON_AddStringToObject(json, "receiver", r->channel_name[c]);
    json_number(json, "arrival", m->arrival);
    json_number(json, "peak", m->peak);
    json_number(json, "end", m->end);
    cJSON *octaves = cJSON_AddArrayToObject(json, "octave_bands");
    for (size_t i = 0; i < METRICS_OCTAVES; i++)
        cJSON_AddItemToArray(octaves, band_json(r, m, &m->band[i]));
    cJSON_AddItemToObject(json, "broad_band", band_json(r, m, &m->band[METRICS_BROAD]));
    if (w->third_octaves) {
        cJSON *thirds = cJSON_AddArrayToObject(json, "third_octave_bands");
        for (size_t i = 0; i < METRICS_THIRDS; i++)
            cJSON_AddItemToArray(thirds, band_json(r, m, &m->third[i]));
    }
    for (size_t i = 0; i < single_metric_count; i++)
        json_single(json, r, m, &single_metrics[i]);
    if (!m->sti_reason)
        cJSON_AddItemToObject(json, "modulation_transfer_indices", cJSON_CreateDoubleArray(m->mti, SPEECH_BANDS));
    if (w->speech)
        cJSON_AddItemToObject(json, "speech", metrics_speech_json(m, w));
    cJSON_AddItemToObject(json, "stage_support", metrics_stage_json(r, c, m));
    return json;
}

/* Adds notes and warnings unless there are none. */
static void json_findings(cJSON *file, const struct measured_findings *f)
{
    const char *const *notes = (const char *const *)f->notes, *const *warnings = (const char *const *)f->warnings;
    if (f->note_count)
        cJSON_AddItemToObject(file, "notes", cJSON_CreateStringArray(notes, (int)f->note_count));
    if (f->warning_count)
        cJSON_AddItemToObject(file, "warnings", cJSON_CreateStringArray(warnings, (int)f->warning_count));
}

int metrics_print_json(const struct measured_file *files, size_t count, const struct metrics_wanted *w,
                       const struct subject_judged *judged, const struct target *target, struct error *e)
{
    cJSON *json = cJSON_CreateObject(), *array = cJSON_AddArrayToObject(json, "files");
    for (size_t i = 0; i < count; i++) {
        const struct recording *r = &files[i].recording;
        cJSON *file = cJSON_CreateObject();
        cJSON_AddStringToObject(file, "file", files[i].path);
        if (r->source)
            cJSON_AddStringToObject(file, "source", r->source);
        cJSON_AddNumberToObject(file, "rate", r->audio.rate);
        cJSON_AddNumberToObject(file, "frames", (double)r->audio.frames);
        cJSON *band = cJSON_AddObjectToObject(file, "valid_band");
        cJSON_AddNumberToObject(band, "low", r->valid_low);
        cJSON_AddNumberToObject(band, "high", r->valid_high);
        cJSON_AddBoolToObject(file, "calibrated", r->calibrated);
        if (r->note)
            cJSON_AddStringToObject(file, "note", r->note);
        json_findings(file, &files[i].findings);
        if (judged)
            cJSON_AddItemToObject(file, "target", judged_json(&judged[i], target));
        cJSON *channels = cJSON_AddArrayToObject(file, "channels");
        for (size_t c = 0; c < r->audio.channels; c++)
            cJSON_AddItemToArray(channels, channel_json(r, c, &files[i].channel[c], w));
        cJSON_AddItemToArray(array, file);
    }
    return json_print(json, e);
}
