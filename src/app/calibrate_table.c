/* SPDX-License-Identifier: MIT */
/* aula calibrate --table: parameters that were measured, as CSV with a row for each receiver and octave:
 *
 *     receiver,octave,t20,edt,c80
 *     seat1,500,1.21,1.15,0.8
 *
 * The columns stand in any order. Times are in s, C80 in dB; an empty cell or "-" was not measured. Lines that begin
 * with # are comments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/calibrate.h"
#include "base/file.h"
#include "base/text.h"

enum { BYTES = 1 << 20, COLUMNS = 64, RECEIVER = CALIBRATE_PARAMETERS, OCTAVE, KINDS };

static const double longest_time = 60.0; /* s: above, milliseconds are likely */
static const double largest_clarity = 100.0;

/* A table while it is read. */
struct table {
    const char *path;
    const struct room *room;
    size_t line;
    size_t columns;
    int kind[COLUMNS];              /* enum calibrate_parameter, RECEIVER, OCTAVE, or -1: another column */
    struct metrics *metrics;        /* [room->receiver_count] */
    bool (*given)[METRICS_OCTAVES]; /* [room->receiver_count] */
};

/* Splits a line at its commas, in place; blanks and quotes around a cell go. Returns the number of cells. */
static size_t split(char *cell[COLUMNS], char *line)
{
    size_t count = 0;
    for (char *at = line; at && count < COLUMNS;) {
        char *next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        at += strspn(at, " \t\"");
        for (size_t n = strlen(at); n && strchr(" \t\"\r", at[n - 1]);)
            at[--n] = '\0';
        cell[count++] = at;
        at = next;
    }
    return count;
}

static const char *column_name(int kind)
{
    return kind == RECEIVER ? "receiver" : kind == OCTAVE ? "octave" : calibrate_kinds[kind].name;
}

static int read_heading(struct table *t, char *line, struct error *e)
{
    char *cell[COLUMNS];
    bool found[KINDS] = {false};
    t->columns = split(cell, line);
    for (size_t i = 0; i < t->columns; i++) {
        t->kind[i] = -1;
        for (int kind = 0; kind < KINDS; kind++) {
            if (strcasecmp(cell[i], column_name(kind)) != 0)
                continue;
            if (found[kind])
                return fail(e, ERROR_INPUT, "%s:%zu: two columns are named %s", t->path, t->line, column_name(kind));
            t->kind[i] = kind;
            found[kind] = true;
        }
    }
    bool measured = false;
    for (int kind = 0; kind < CALIBRATE_PARAMETERS; kind++)
        measured = measured || found[kind];
    if (found[RECEIVER] && found[OCTAVE] && measured)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s:%zu: expected a heading such as receiver,octave,t20,t30,edt,c80: receiver, octave and one "
                "parameter at least, separated by commas",
                t->path, t->line);
}

static int read_receiver(size_t *receiver, const struct table *t, const char *name, struct error *e)
{
    char option[QUOTED + 64], *place = text_format("%s:%zu: receiver", t->path, t->line);
    if (!place)
        return fail(e, ERROR_MEMORY, "out of memory");
    quoted(option, place);
    free(place);
    return calibrate_find_receiver(receiver, t->room, name, option, e);
}

static int read_octave(size_t *octave, const struct table *t, const char *text, struct error *e)
{
    double value;
    if (text_number(text, &value))
        value = NAN;
    for (*octave = 0; *octave < METRICS_OCTAVES; ++*octave)
        if (fabs(octave_band_centre[*octave] - value) <= 0.01 * value)
            return 0;
    char safe[QUOTED];
    return fail(e, ERROR_INPUT, "%s:%zu: octave %s: expected 63, 125, 250, 500, 1000, 2000, 4000 or 8000 Hz", t->path,
                t->line, quoted(safe, text));
}

/* NaN: was not measured. */
static int read_value(double *value, const struct table *t, int kind, const char *text, struct error *e)
{
    char safe[QUOTED];
    *value = NAN;
    if (!*text || !strcmp(text, "-"))
        return 0;
    if (text_number(text, value))
        return fail(e, ERROR_INPUT, "%s:%zu: %s %s: expected a number, or nothing where it was not measured", t->path,
                    t->line, column_name(kind), quoted(safe, text));
    if (kind == CALIBRATE_C80)
        return fabs(*value) <= largest_clarity ? 0
                                               : fail(e, ERROR_INPUT, "%s:%zu: c80 %s: expected dB, from -100 to 100",
                                                      t->path, t->line, quoted(safe, text));
    return *value > 0.0 && *value <= longest_time
               ? 0
               : fail(e, ERROR_INPUT, "%s:%zu: %s %s: expected seconds, above 0 and up to 60", t->path, t->line,
                      column_name(kind), quoted(safe, text));
}

static int read_row(struct table *t, char *line, struct error *e)
{
    char *cell[COLUMNS];
    double value[CALIBRATE_PARAMETERS];
    size_t receiver = 0, octave = 0;
    const size_t cells = split(cell, line);
    if (cells != t->columns)
        return fail(e, ERROR_INPUT, "%s:%zu: has %zu cells, and the heading has %zu; write decimals with a point",
                    t->path, t->line, cells, t->columns);
    for (size_t p = 0; p < CALIBRATE_PARAMETERS; p++)
        value[p] = NAN;
    for (size_t i = 0; i < cells; i++)
        if ((t->kind[i] == RECEIVER && read_receiver(&receiver, t, cell[i], e)) ||
            (t->kind[i] == OCTAVE && read_octave(&octave, t, cell[i], e)) ||
            (t->kind[i] >= 0 && t->kind[i] < CALIBRATE_PARAMETERS &&
             read_value(&value[t->kind[i]], t, t->kind[i], cell[i], e)))
            return -1;
    if (t->given[receiver][octave])
        return fail(e, ERROR_INPUT, "%s:%zu: a second row of %s at %g Hz; leave one out", t->path, t->line,
                    t->room->receivers[receiver].name, octave_band_centre[octave]);
    if (isfinite(value[CALIBRATE_C80]) && !isfinite(value[CALIBRATE_T20]) && !isfinite(value[CALIBRATE_T30]) &&
        !isfinite(value[CALIBRATE_EDT]))
        return fail(e, ERROR_INPUT, "%s:%zu: c80 needs t20, t30 or edt beside it, for its statistical deviation",
                    t->path, t->line);
    struct metrics_band *band = &t->metrics[receiver].band[octave];
    band->t20.time = value[CALIBRATE_T20];
    band->t30.time = value[CALIBRATE_T30];
    band->edt.time = value[CALIBRATE_EDT];
    band->c80 = value[CALIBRATE_C80];
    t->given[receiver][octave] = true;
    return 0;
}

static int read_lines(struct table *t, char *text, struct error *e)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, as spreadsheets write it */
    size_t rows = 0;
    text += strncmp(text, mark, strlen(mark)) ? 0 : strlen(mark);
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        t->line++;
        if (line[strspn(line, " \t\r")] == '\0' || *line == '#')
            continue;
        if (t->columns ? read_row(t, line, e) : read_heading(t, line, e))
            return -1;
        rows++;
    }
    return rows > 1 ? 0
                    : fail(e, ERROR_INPUT,
                           "%s: has no row; expected a heading such as receiver,octave,t20 and a row "
                           "for each receiver and octave",
                           t->path);
}

static void clear(struct metrics *m)
{
    for (size_t k = 0; k < METRICS_BANDS; k++) {
        m->band[k].t20.time = m->band[k].t30.time = m->band[k].edt.time = m->band[k].c80 = NAN;
        m->band[k].validity = METRICS_VALID;
    }
}

int calibrate_table_read(struct calibrate_data *d, const char *path, const struct room *room, struct error *e)
{
    struct table t = {.path = path, .room = room};
    char *text = NULL;
    const size_t count = room->receiver_count;
    int status = file_read_text(path, BYTES, &text, e);
    if (!status) {
        t.metrics = calloc(count + 1, sizeof *t.metrics);
        t.given = calloc(count + 1, sizeof *t.given);
        status = t.metrics && t.given ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count && !status; i++)
        clear(&t.metrics[i]);
    if (!status)
        status = read_lines(&t, text, e);
    for (size_t i = 0; i < count && !status; i++)
        if (memchr(t.given[i], true, sizeof t.given[i])) {
            status = calibrate_data_add(d, room, i, path, 0, &t.metrics[i], e);
            if (!status)
                d->measured[d->count - 1].listed = true;
        }
    free(t.given);
    free(t.metrics);
    free(text);
    return status;
}
