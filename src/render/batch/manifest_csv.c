/* SPDX-License-Identifier: MIT */
/* The manifest as a table with a row for each room. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "dsp/measure/metrics_table.h"
#include "render/batch/manifest.h"
#include "render/batch/record_octaves.h"

/* A text cell, quoted according to RFC 4180. */
static void put_text(FILE *f, const char *text)
{
    const bool plain = !strpbrk(text, ",\"\r\n");
    if (!plain)
        fputc('"', f);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, f);
    }
    if (!plain)
        fputc('"', f);
}

static void put_number(FILE *f, const cJSON *item)
{
    if (cJSON_IsNumber(item))
        fprintf(f, "%.9g", item->valuedouble);
}

static void put_value(FILE *f, const cJSON *item)
{
    if (cJSON_IsNumber(item)) {
        put_number(f, item);
    } else if (cJSON_IsString(item)) {
        put_text(f, item->valuestring);
    } else if (item) {
        char *text = cJSON_PrintUnformatted(item);
        put_text(f, text ? text : "");
        cJSON_free(text);
    }
}

/* One column for each number of a draw: room.size[0], [1], [2]. */
static void put_parameter_names(FILE *f, const struct plan *plan)
{
    for (size_t i = 0; i < plan->variation_count; i++) {
        const struct variation *v = &plan->variations[i];
        char name[300];
        for (size_t k = 0; k < (v->width > 1 ? v->width : 1); k++) {
            snprintf(name, sizeof name, v->width > 1 ? "%s[%zu]" : "%s", v->key, k);
            fputc(',', f);
            put_text(f, name);
        }
    }
}

static void put_parameters(FILE *f, const struct plan *plan, const cJSON *record)
{
    const cJSON *parameters = cJSON_GetObjectItemCaseSensitive(record, "parameters");
    for (size_t i = 0; i < plan->variation_count; i++) {
        const struct variation *v = &plan->variations[i];
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(parameters, v->key);
        for (size_t k = 0; k < (v->width > 1 ? v->width : 1); k++) {
            fputc(',', f);
            put_value(f, v->width > 1 ? cJSON_GetArrayItem(value, (int)k) : value);
        }
    }
}

static void put_metrics(FILE *f, const cJSON *record)
{
    for (size_t i = 0; i < band_metric_count; i++) {
        if (!metric_in_data_sets(&band_metrics[i]))
            continue;
        const double mean = record_middle(record, NULL, band_metrics[i].name);
        fputc(',', f);
        if (isfinite(mean))
            fprintf(f, "%.6g", mean);
    }
}

static void put_head(FILE *f, const struct plan *plan)
{
    fputs("room,status,base", f);
    if (plan->generated)
        fputs(",use", f);
    put_parameter_names(f, plan);
    fputs(",volume,valid_low,valid_high,rate,seconds,runs", f);
    for (size_t i = 0; i < band_metric_count; i++)
        if (metric_in_data_sets(&band_metrics[i]))
            fprintf(f, ",%s_mid", band_metrics[i].name);
    fputs(",files,checksums,file_name,split", f);
    for (size_t i = 0; i < ABOUT_TEXTS; i++)
        fprintf(f, ",%s", about_names[i]);
    fputs(",message\r\n", f);
}

static const cJSON *inner(const cJSON *record, const char *group, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(record, group), name);
}

/* Names or checksums of all files, separated by semicolons, because names of sources may contain
 * spaces. */
static void put_files(FILE *f, const cJSON *record, const char *what)
{
    const cJSON *file;
    const char *between = "";
    fputc(',', f);
    cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(record, "files"))
    {
        const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, what));
        fputs(between, f);
        put_text(f, text ? text : "");
        between = ";";
    }
}

static void put_row(FILE *f, const struct plan *plan, const cJSON *record)
{
    static const char *const first[] = {"room", "status", "base"};
    static const char *const numbers[] = {"rate", "seconds", "runs"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        if (i)
            fputc(',', f);
        put_value(f, cJSON_GetObjectItemCaseSensitive(record, first[i]));
    }
    if (plan->generated) {
        fputc(',', f);
        put_value(f, cJSON_GetObjectItemCaseSensitive(record, "use"));
    }
    put_parameters(f, plan, record);
    fputc(',', f);
    put_number(f, cJSON_GetObjectItemCaseSensitive(record, "volume"));
    fputc(',', f);
    put_number(f, inner(record, "valid_band", "low"));
    fputc(',', f);
    put_number(f, inner(record, "valid_band", "high"));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fputc(',', f);
        put_number(f, cJSON_GetObjectItemCaseSensitive(record, numbers[i]));
    }
    put_metrics(f, record);
    put_files(f, record, "file");
    put_files(f, record, "checksum");
    fputc(',', f);
    put_value(f, cJSON_GetObjectItemCaseSensitive(record, "file_name"));
    fputc(',', f);
    put_value(f, cJSON_GetObjectItemCaseSensitive(record, "split"));
    for (size_t i = 0; i < ABOUT_TEXTS; i++) {
        fputc(',', f);
        put_value(f, cJSON_GetObjectItemCaseSensitive(record, about_names[i]));
    }
    fputc(',', f);
    put_value(f, cJSON_GetObjectItemCaseSensitive(record, "message"));
    fputs("\r\n", f);
}

static int put_rows(FILE *f, const struct manifest *m, struct error *e)
{
    put_head(f, m->plan);
    for (size_t room = 0; room < m->plan->count; room++) {
        if (m->lines[room].state == ROOM_OPEN)
            continue;
        char *line = manifest_line(m, room, e);
        cJSON *record = line ? cJSON_Parse(line) : NULL;
        if (line && !record)
            fail(e, ERROR_MEMORY, "%s: out of memory", m->csv);
        else if (line)
            put_row(f, m->plan, record);
        cJSON_Delete(record);
        free(line);
        if (!record)
            return -1;
    }
    return 0;
}

int manifest_try_csv(const struct manifest *m, struct error *e)
{
    struct output_file trial;
    if (output_file_open_in(&trial, m->place, m->csv, e))
        return -1;
    output_file_discard(&trial);
    return 0;
}

int manifest_write_csv(const struct manifest *m, struct error *e)
{
    struct output_file file;
    if (output_file_open_in(&file, m->place, m->csv, e))
        return -1;
    FILE *f = output_file_stream(&file, e);
    int status = f ? put_rows(f, m, e) : -1;
    const bool lost = f && ferror(f);
    if (f && (fclose(f) || lost) && !status)
        status = fail(e, ERROR_OUTPUT, "%s: cannot write", m->csv);
    if (status) {
        output_file_discard(&file);
        return -1;
    }
    return output_file_commit(&file, e);
}
