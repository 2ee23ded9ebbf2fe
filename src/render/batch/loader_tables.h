/* SPDX-License-Identifier: MIT */
/* Rows of responses as a Parquet table. */
#ifndef AULA_RENDER_BATCH_LOADER_TABLES_H
#define AULA_RENDER_BATCH_LOADER_TABLES_H

#include "io/parquet_file.h"
#include "render/batch/part_file.h"
#include "render/batch/responses.h"

/* The first column is `audio`, the responses as WAV files, or `file_name`, the names of their files; those of responses
 * follow. */
struct loader_table {
    bool has_sound;
    struct parquet_column *columns; /* [1 + column_count of the responses] */
    struct parquet_value *values;
    char *features; /* metadata, from which datasets knows the column of sounds */
    struct parquet_file parquet;
};

/* ERROR_MEMORY, ERROR_OUTPUT. Close in any case. */
int loader_table_open(struct loader_table *t, bool has_sound, const struct responses *r, struct part_file *to,
                      struct error *e);

/* The present row. sound: NULL if the table has none. */
int loader_table_add(struct loader_table *t, const struct responses *r, const unsigned char *sound, size_t count,
                     struct error *e);
int loader_table_end(struct loader_table *t, struct error *e);
void loader_table_close(struct loader_table *t);

#endif
