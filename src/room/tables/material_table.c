/* SPDX-License-Identifier: MIT */
#include "room/tables/material_table.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

enum { BYTES = 4 << 20, ROWS_MAX = 4000 /* a group of a room file has 4096 keys at most */, KEY_MAX = 60 };
static const double most = 1.2; /* as materials.NAME.absorption */

const char *const material_formats[] = {
    [MATERIALS_CSV] = "csv", [MATERIALS_CATT] = "catt", [MATERIALS_ODEON] = "odeon"};
const char *const material_format_names[] = {
    [MATERIALS_CSV] = "CSV", [MATERIALS_CATT] = "CATT", [MATERIALS_ODEON] = "ODEON"};

int material_refuse(const struct material_lines *l, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return fail(l->error, ERROR_INPUT, "%s:%zu: %s", l->path, l->line, text);
}

char *material_next_line(struct material_lines *l)
{
    char *line = l->at;
    if (!line)
        return NULL;
    l->at = strchr(line, '\n');
    if (l->at)
        *l->at++ = '\0';
    l->line++;
    return line;
}

bool material_number(double *value, const char *text)
{
    char copy[64];
    char *comma;
    const size_t length = strlen(text);
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length + 1);
    comma = strchr(copy, ',');
    if (comma && !strchr(copy, '.'))
        *comma = '.';
    return !text_number(copy, value);
}

/* ---- Characters ---- */

/* Windows-1252 from 0x80 to 0x9F; 0: not in use. From 0xA0 on it is Latin-1, whose numbers are those of Unicode. */
static const unsigned short windows_1252[32] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

static bool is_utf8(const char *text)
{
    uint32_t letter;
    for (size_t bytes; *text; text += bytes)
        if (!(bytes = text_letter(text, &letter)))
            return false;
    return true;
}

static char *recode(const char *text)
{
    struct growing_text out = {.text = NULL};
    for (; *text; text++) {
        unsigned letter = (unsigned char)*text;
        char bytes[3];
        size_t count = 0;
        if (letter >= 0x80 && letter < 0xA0)
            letter = windows_1252[letter - 0x80] ? windows_1252[letter - 0x80] : '?';
        if (letter < 0x80) {
            bytes[count++] = (char)letter;
        } else if (letter < 0x800) {
            bytes[count++] = (char)(0xC0 | letter >> 6);
            bytes[count++] = (char)(0x80 | (letter & 0x3F));
        } else {
            bytes[count++] = (char)(0xE0 | letter >> 12);
            bytes[count++] = (char)(0x80 | (letter >> 6 & 0x3F));
            bytes[count++] = (char)(0x80 | (letter & 0x3F));
        }
        growing_text_bytes(&out, bytes, count);
    }
    return growing_text_take(&out, NULL);
}

/* Each end of a line becomes one newline. */
static void join_line_ends(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != '\r')
            *to++ = *from;
        else if (from[1] != '\n')
            *to++ = '\n';
    *to = '\0';
}

/* ---- Keys ---- */

/* Letters of Latin-1 from U+00C0 on without their marks; "" becomes _. */
static const char *const plain[64] = {"a", "a", "a",  "a", "ae", "a",  "ae", "c", "e",  "e",  "e",  "e", "i",
                                      "i", "i", "i",  "d", "n",  "o",  "o",  "o", "o",  "oe", "",   "o", "u",
                                      "u", "u", "ue", "y", "th", "ss", "a",  "a", "a",  "a",  "ae", "a", "ae",
                                      "c", "e", "e",  "e", "e",  "i",  "i",  "i", "i",  "d",  "n",  "o", "o",
                                      "o", "o", "oe", "",  "o",  "u",  "u",  "u", "ue", "y",  "th", "y"};

/* Lower-case letters and digits; what lies between them becomes _. */
static char *make_key(const char *name)
{
    char key[KEY_MAX + 8] = "m_"; /* begins so unless a letter follows */
    size_t length = 2;
    bool apart = false;
    uint32_t letter;
    for (size_t bytes; *name && length < KEY_MAX; name += bytes) {
        char own[2] = "";
        const char *piece = own;
        bytes = text_letter(name, &letter);
        bytes = bytes ? bytes : 1;
        if (bytes == 1 && isalnum((unsigned char)*name))
            own[0] = (char)tolower((unsigned char)*name);
        else if (letter >= 0xC0 && letter < 0x100 && bytes > 1)
            piece = plain[letter - 0xC0];
        if (*piece && apart && length > 2)
            key[length++] = '_';
        apart = !*piece;
        for (; *piece; piece++)
            key[length++] = *piece;
    }
    key[length] = '\0';
    const bool begins =
        islower((unsigned char)key[2]) && strcmp(key + 2, "rigid") != 0 && strcmp(key + 2, "fixed") != 0;
    return length > 2 ? text_copy(begins ? key + 2 : key) : text_copy("");
}

/* ---- Rows ---- */

static int check_name(const struct material_lines *l, const char *name, const char *key)
{
    char given[QUOTED];
    uint32_t letter;
    if (!*name)
        return material_refuse(l, "has no name; write one before the values");
    for (const char *at = name; *at; at += text_letter(at, &letter))
        if (!text_letter(at, &letter) || letter < ' ' || (letter >= 0x7F && letter < 0xA0))
            return material_refuse(l, "%s: the name holds a control character; remove it", quoted(given, name));
    if (!*key)
        return material_refuse(l, "%s: no key of a room file can be made of this name; use Latin letters or digits",
                               quoted(given, name));
    for (size_t i = 0; i < l->table->count; i++) {
        const struct material_row *other = &l->table->rows[i];
        if (!strcmp(other->name, name))
            return material_refuse(l, "%s: is already in line %zu; keep one of them", quoted(given, name), other->line);
        if (!strcmp(other->key, key))
            return material_refuse(l, "%s: has the same key %s as \"%.60s\" in line %zu; rename one of them",
                                   quoted(given, name), key, other->name, other->line);
    }
    return 0;
}

static int check_values(const struct material_lines *l, const char *name, const char *what, const double *values,
                        double limit)
{
    char given[QUOTED];
    const struct material_table *t = l->table;
    const bool percent = t->format == MATERIALS_CATT;
    for (size_t k = 0; values && k < t->octaves; k++)
        if (!(values[k] >= 0.0 && values[k] <= limit))
            return material_refuse(l, "%s: %s %g%s at %g Hz lies outside 0 to %g%s%s", quoted(given, name), what,
                                   percent ? 100.0 * values[k] : values[k], percent ? " %" : "",
                                   octave_band_centre[t->first + k], percent ? 100.0 * limit : limit,
                                   percent ? " %" : "",
                                   !percent && values[k] > limit ? "; give fractions, not percent" : "");
    return 0;
}

int material_add(struct material_lines *l, size_t line, const char *name, const double *absorption,
                 const double *scattering)
{
    struct material_table *t = l->table;
    const size_t here = l->line;
    l->line = line ? line : here;
    char *key = make_key(name);
    int status = key ? check_name(l, name, key) : fail(l->error, ERROR_MEMORY, "out of memory");
    l->line = here;
    if (!status)
        status = check_values(l, name, "absorption", absorption, most) ||
                 check_values(l, name, "scattering", scattering, 1.0);
    if (!status && t->count == ROWS_MAX)
        status = material_refuse(l, "more than %d materials; split the file", (int)ROWS_MAX);
    struct material_row *more = status ? NULL : realloc(t->rows, (t->count + 1) * sizeof *more);
    char *copy = more ? text_copy(name) : NULL;
    t->rows = more ? more : t->rows;
    if (status || !copy) {
        free(key);
        return status ? -1 : fail(l->error, ERROR_MEMORY, "out of memory");
    }
    struct material_row *row = &t->rows[t->count++];
    *row = (struct material_row){.name = copy, .key = key, .scatters = scattering != NULL, .line = line ? line : here};
    for (size_t k = 0; k < t->octaves; k++) {
        row->absorption[t->first + k] = absorption[k];
        row->scattering[t->first + k] = scattering ? scattering[k] : 0.0;
    }
    return 0;
}

/* ---- Tables ---- */

/* A number in < > is CATT's; a line that begins with a tab and a number, below one that does not, is ODEON's. */
static enum material_format recognize(const char *text)
{
    bool named = false; /* the line before is none of values */
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const size_t length = strcspn(line, "\n");
        const char *open = memchr(line, '<', length), *first = line + strspn(line, " \t");
        if (open && memchr(open, '>', length - (size_t)(open - line)) &&
            isdigit((unsigned char)open[1 + strspn(open + 1, " \t")]))
            return MATERIALS_CATT;
        if (named && *line == '\t' && isdigit((unsigned char)*first))
            return MATERIALS_ODEON;
        if (first < line + length && *first != '#')
            named = *line != '\t';
    }
    return MATERIALS_CSV;
}

static int choose_format(struct material_table *t, const char *text, const char *format, struct error *e)
{
    char given[QUOTED];
    if (!format) {
        t->format = recognize(text);
        return 0;
    }
    for (size_t i = 0; i < MATERIALS_FORMATS; i++)
        if (!strcmp(format, material_formats[i])) {
            t->format = (enum material_format)i;
            return 0;
        }
    return fail(e, ERROR_USAGE, "--format %s: expected csv, catt or odeon", quoted(given, format));
}

static int read_rows(struct material_table *t, char *text, const char *path, struct error *e)
{
    static int (*const read[])(struct material_lines *) = {[MATERIALS_CSV] = material_read_csv,
                                                           [MATERIALS_CATT] = material_read_catt,
                                                           [MATERIALS_ODEON] = material_read_odeon};
    struct material_lines lines = {.path = path, .at = text, .table = t, .error = e};
    t->octaves = OCTAVE_BANDS;
    if (read[t->format](&lines))
        return -1;
    if (t->count)
        return 0;
    return fail(
        e, ERROR_INPUT,
        "%s: no material found, read as %s; expected name;63;..;8000 (csv), name = < .. > (catt), or a name and "
        "below it a tab and eight values (odeon)",
        path, material_format_names[t->format]);
}

int material_table_read(struct material_table *t, const char *path, const char *format, struct error *e)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, as spreadsheets write it */
    char *text = NULL;
    *t = (struct material_table){.rows = NULL};
    if (file_read_text(path, BYTES, &text, e))
        return -1;
    if (!is_utf8(text)) {
        char *other = recode(text);
        free(text);
        text = other;
        t->recoded = true;
    }
    if (!text)
        return fail(e, ERROR_MEMORY, "out of memory");
    join_line_ends(text);
    char *begin = text + (strncmp(text, mark, strlen(mark)) ? 0 : strlen(mark));
    const int status = choose_format(t, begin, format, e) || read_rows(t, begin, path, e);
    free(text);
    return status ? -1 : 0;
}

void material_table_free(struct material_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->rows[i].name);
        free(t->rows[i].key);
    }
    free(t->rows);
    *t = (struct material_table){.rows = NULL};
}
