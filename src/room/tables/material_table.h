/* SPDX-License-Identifier: MIT */
/* Tables of absorption as other programs and spreadsheets hold them, and the part of a room file that they become. */
#ifndef AULA_ROOM_TABLES_MATERIAL_TABLE_H
#define AULA_ROOM_TABLES_MATERIAL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "base/error.h"

enum material_format {
    MATERIALS_CSV,   /* name;63;..;8000 in fractions, separated by ; or , or tab; a heading names other octaves */
    MATERIALS_CATT,  /* name = < 21 12 9 6 9 13 > L < 30 30 30 30 30 30 >: percent, 125 Hz to 4 kHz; scattering */
    MATERIALS_ODEON, /* a line with the name, then one of a tab and eight fractions, 63 Hz to 8 kHz */
    MATERIALS_FORMATS
};
extern const char *const material_formats[MATERIALS_FORMATS]; /* as --format takes them */
extern const char *const material_format_names[MATERIALS_FORMATS];

struct material_row {
    char *name; /* as in the table, UTF-8 */
    char *key;  /* made of it: lower-case letters, digits and _, beginning with a letter */
    double absorption[OCTAVE_BANDS], scattering[OCTAVE_BANDS];
    bool scatters; /* the table gives scattering */
    size_t line;
};

struct material_table {
    enum material_format format;
    struct material_row *rows; /* [count] */
    size_t count;
    size_t first, octaves; /* the table gives `octaves` of the eight octaves, from `first` on */
    bool recoded;          /* was not UTF-8, and was read as Windows-1252, of which Latin-1 is a part */
};

/* Reads the table in a file. `format`: one of material_formats; NULL: recognized by the content. ERROR_USAGE for an
 * unknown format; ERROR_INPUT, with file and line, for wrong counts of values, values below 0 or above 1.2, names that
 * stand there twice or that have the same key, and anything else that is no row. Free it in any case. */
int material_table_read(struct material_table *t, const char *path, const char *format, struct error *e);
void material_table_free(struct material_table *t);

/* The group `materials` of a room file, with `source` at each material, in fresh memory; NULL: out of memory. `path` is
 * said in a comment. */
char *material_table_text(const struct material_table *t, const char *path, const char *source);

/* 0, or ERROR_USAGE unless `source` is one line of text that can stand in a room file. NULL: it is missing. */
int material_table_check_source(const char *source, struct error *e);

/* What a reader of the table at `path` should know: its character set, octaves that it lacks, values that walls cannot
 * have. Adds to the *count lines. */
int material_table_notes(char ***lines, size_t *count, const struct material_table *t, const char *path,
                         struct error *e);

/* For the readers of the formats. */

struct material_lines { /* the text of a table while it is read */
    const char *path;
    char *at;    /* the rest, 0-terminated; NULL: the end */
    size_t line; /* of the last line taken, from 1 */
    struct material_table *table;
    struct error *error;
};

/* The next line without its end, or NULL. */
char *material_next_line(struct material_lines *l);
int material_refuse(const struct material_lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the row of the last line, or of `line` if that is not 0. `absorption` and `scattering` (may be NULL): [octaves]
 * from the first octave of the table on, fractions. */
int material_add(struct material_lines *l, size_t line, const char *name, const double *absorption,
                 const double *scattering);

/* Whether the text is a number, with a decimal point or comma. */
bool material_number(double *value, const char *text);

int material_read_csv(struct material_lines *l);
int material_read_catt(struct material_lines *l);
int material_read_odeon(struct material_lines *l);

#endif
