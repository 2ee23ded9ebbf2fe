/* SPDX-License-Identifier: MIT */
#include "render/batch/loader_tables.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/json_build.h"

/* {"info": {"features": {"audio": {"_type": "Audio"}, ..}}}: the metadata that datasets writes itself. */
static char *features_of(const struct loader_table *t, size_t count)
{
    static const char *const types[] = {
        [PARQUET_WHOLE] = "int64", [PARQUET_REAL] = "float64", [PARQUET_TEXT] = "string", [PARQUET_SOUND] = ""};
    cJSON *json = cJSON_CreateObject(), *info = cJSON_AddObjectToObject(json, "info");
    cJSON *features = cJSON_AddObjectToObject(info, "features");
    for (size_t i = 0; i < count; i++) {
        const bool is_sound = t->columns[i].kind == PARQUET_SOUND;
        cJSON *feature = cJSON_AddObjectToObject(features, t->columns[i].name);
        if (!is_sound)
            cJSON_AddStringToObject(feature, "dtype", types[t->columns[i].kind]);
        cJSON_AddStringToObject(feature, "_type", is_sound ? "Audio" : "Value");
    }
    return json_line(json);
}

int loader_table_open(struct loader_table *t, bool has_sound, const struct responses *r, struct part_file *to,
                      struct error *e)
{
    static const enum parquet_kind kinds[] = {
        [COLUMN_WHOLE] = PARQUET_WHOLE, [COLUMN_REAL] = PARQUET_REAL, [COLUMN_TEXT] = PARQUET_TEXT};
    const size_t count = 1 + r->column_count;
    const struct byte_sink sink = part_file_sink(to);
    *t = (struct loader_table){.has_sound = has_sound};
    t->columns = calloc(count, sizeof *t->columns);
    t->values = calloc(count, sizeof *t->values);
    if (!t->columns || !t->values)
        return fail(e, ERROR_MEMORY, "out of memory");
    t->columns[0] = has_sound ? (struct parquet_column){"audio", PARQUET_SOUND}
                              : (struct parquet_column){"file_name", PARQUET_TEXT};
    for (size_t i = 0; i < r->column_count; i++)
        t->columns[1 + i] = (struct parquet_column){r->columns[i].name, kinds[r->columns[i].kind]};
    t->features = features_of(t, count);
    if (!t->features)
        return fail(e, ERROR_MEMORY, "out of memory");
    /* AudioFolder makes its own features of file_name */
    return parquet_begin(&t->parquet, t->columns, count, has_sound ? "huggingface" : "aula",
                         has_sound ? t->features : AULA_VERSION, &sink, e);
}

int loader_table_add(struct loader_table *t, const struct responses *r, const unsigned char *sound, size_t count,
                     struct error *e)
{
    char name[RESPONSE_NAME + sizeof ".wav"], stem[RESPONSE_NAME];
    snprintf(name, sizeof name, "%s.wav", responses_name(r, stem));
    t->values[0] = t->has_sound ? (struct parquet_value){.text = name, .bytes = sound, .byte_count = count}
                                : (struct parquet_value){.text = r->file};
    for (size_t i = 0; i < r->column_count; i++)
        t->values[1 + i] = (struct parquet_value){.number = r->values[i].number, .text = r->values[i].text};
    return parquet_add(&t->parquet, t->values, e);
}

int loader_table_end(struct loader_table *t, struct error *e)
{
    return parquet_end(&t->parquet, e);
}

void loader_table_close(struct loader_table *t)
{
    parquet_free(&t->parquet);
    free(t->columns);
    free(t->values);
    free(t->features);
    *t = (struct loader_table){.columns = NULL};
}
