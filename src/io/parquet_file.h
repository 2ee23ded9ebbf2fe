/* SPDX-License-Identifier: MIT */
/* Tables in the Parquet format (github.com/apache/parquet-format, version 2.10), as pandas, pyarrow, DuckDB and Hugging
 * Face's datasets read them: one data page for each column and row group, values PLAIN and uncompressed, the footer in
 * Thrift's compact protocol. Same rows, same bytes. */
#ifndef AULA_IO_PARQUET_FILE_H
#define AULA_IO_PARQUET_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "io/tar_file.h"

enum parquet_kind {
    PARQUET_WHOLE, /* int64 */
    PARQUET_REAL,  /* double; null where it is NaN */
    PARQUET_TEXT,  /* UTF-8 */
    PARQUET_SOUND  /* a struct of `bytes` (a whole file) and `path` (its name) */
};

struct parquet_column {
    const char *name;
    enum parquet_kind kind;
};

struct parquet_value {
    double number;    /* of PARQUET_WHOLE and _REAL */
    const char *text; /* of PARQUET_TEXT; the path of PARQUET_SOUND */
    const void *bytes;
    size_t byte_count;
};

/* A column of plain values; a sound has two. */
struct parquet_leaf {
    const char *column, *inner; /* inner: of a sound; NULL: none */
    int type;                   /* of the format */
    bool optional;
    struct growing_text values, present; /* of the row group; present: a bit for each row of an optional column */
};

struct parquet_file {
    const struct parquet_column *columns;
    size_t column_count;
    const char *key, *value; /* metadata of the file */
    struct byte_sink sink;
    struct parquet_leaf *leaves;
    size_t leaf_count;
    struct growing_text groups; /* the row groups of the footer */
    size_t group_count, group_rows, group_bytes;
    uint64_t rows, offset; /* written so far */
};

/* The columns, key and value must live until the end. ERROR_MEMORY. Free in any case. */
int parquet_begin(struct parquet_file *p, const struct parquet_column *columns, size_t column_count, const char *key,
                  const char *value, const struct byte_sink *sink, struct error *e);

/* A row, values [column_count]. A row group ends beyond 32 MB. ERROR_FAILED: a value of 2 GB or more. */
int parquet_add(struct parquet_file *p, const struct parquet_value *values, struct error *e);

/* The last row group and the footer. */
int parquet_end(struct parquet_file *p, struct error *e);
void parquet_free(struct parquet_file *p);

#endif
