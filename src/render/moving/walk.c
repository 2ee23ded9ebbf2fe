/* SPDX-License-Identifier: MIT */
#include "render/moving/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/text.h"

enum { BYTES_MAX = 64 << 20, FIELDS = 64 };
enum column { TIME, X, Y, Z, YAW, PITCH, ROLL, COLUMNS };
static const char *const names[COLUMNS] = {"time", "x", "y", "z", "yaw", "pitch", "roll"};

struct table {
    struct walk *walk;
    size_t line, width, room;
    int kind[FIELDS]; /* enum column */
};

/* Splits a line at its commas, in place; blanks and quotes around a field go. FIELDS + 1: too many. */
static size_t split(char *field[FIELDS + 1], char *line)
{
    size_t count = 0;
    for (char *at = line; at && count <= FIELDS;) {
        char *next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        at += strspn(at, " \t\"");
        for (size_t n = strlen(at); n && strchr(" \t\"\r", at[n - 1]);)
            at[--n] = '\0';
        field[count++] = at;
        at = next;
    }
    return count;
}

static bool has(const struct table *t, enum column column)
{
    for (size_t i = 0; i < t->width; i++)
        if (t->kind[i] == (int)column)
            return true;
    return false;
}

static int read_column(struct table *t, const char *name, struct error *e)
{
    char safe[QUOTED], hint[HINT];
    int column = 0;
    while (column < COLUMNS && strcasecmp(name, names[column]) != 0)
        column++;
    if (column == COLUMNS)
        return fail(e, ERROR_INPUT, "%s:%zu: unknown column \"%s\"; known are time, x, y, z, yaw, pitch and roll%s",
                    t->walk->path, t->line, quoted(safe, name), text_hint(hint, name, names, COLUMNS));
    if (has(t, (enum column)column))
        return fail(e, ERROR_INPUT, "%s:%zu: two columns are named %s; remove one", t->walk->path, t->line,
                    names[column]);
    t->kind[t->width++] = column;
    t->walk->turns = t->walk->turns || column >= YAW;
    return 0;
}

static int read_heading(struct table *t, char *line, struct error *e)
{
    char *field[FIELDS + 1];
    const size_t other = strcspn(line, ";\t"), length = strlen(line);
    if (other < length && !strchr(line, ','))
        return fail(e, ERROR_INPUT, "%s:%zu: columns are separated by %s; export the table with commas", t->walk->path,
                    t->line, line[other] == ';' ? "semicolons" : "tabs");
    const size_t count = split(field, line);
    for (size_t i = 0; i < count; i++) {
        if (i == FIELDS)
            return fail(e, ERROR_INPUT, "%s:%zu: has more than %d columns", t->walk->path, t->line, FIELDS);
        if (read_column(t, field[i], e))
            return -1;
    }
    for (int column = TIME; column <= Z; column++)
        if (!has(t, (enum column)column))
            return fail(e, ERROR_INPUT,
                        "%s:%zu: there is no column %s; begin the table with a line such as time,x,y,z or "
                        "time,x,y,z,yaw,pitch,roll",
                        t->walk->path, t->line, names[column]);
    return 0;
}

static int add_row(struct table *t, const struct walk_row *row, struct error *e)
{
    struct walk *w = t->walk;
    if (w->count == t->room) {
        const size_t room = t->room ? 2 * t->room : 64;
        struct walk_row *more = realloc(w->rows, room * sizeof *more);
        if (!more)
            return fail(e, ERROR_MEMORY, "out of memory");
        w->rows = more;
        t->room = room;
    }
    w->rows[w->count++] = *row;
    return 0;
}

/* Times increase, and no step is faster than sound could be heard to follow. */
static int check_step(const struct walk *w, const struct walk_row *row, struct error *e)
{
    const struct walk_row *last = w->count ? &w->rows[w->count - 1] : NULL;
    double way = 0.0;
    if (!last)
        return row->time >= 0.0 ? 0
                                : fail(e, ERROR_INPUT, "%s:%zu: time %g s is before the sound begins, at 0 s", w->path,
                                       row->line, row->time);
    if (!(row->time > last->time))
        return fail(e, ERROR_INPUT,
                    "%s:%zu: time %g s does not come after the %g s of line %zu; sort the rows by time and remove "
                    "duplicates",
                    w->path, row->line, row->time, last->time, last->line);
    for (int i = 0; i < 3; i++)
        way += (row->position[i] - last->position[i]) * (row->position[i] - last->position[i]);
    const double speed = sqrt(way) / (row->time - last->time);
    if (speed <= WALK_SPEED_MAX)
        return 0;
    return fail(
        e, ERROR_INPUT,
        "%s:%zu: moves at %.4g m/s from line %zu, but at most %g m/s is supported; times are in s and positions "
        "in m",
        w->path, row->line, speed, last->line, WALK_SPEED_MAX);
}

static int read_row(struct table *t, char *line, struct error *e)
{
    char *field[FIELDS + 1], safe[QUOTED];
    struct walk_row row = {.line = t->line};
    double value[COLUMNS] = {0.0};
    const size_t count = split(field, line);
    if (count != t->width)
        return fail(e, ERROR_INPUT, "%s:%zu: has %zu field%s, but the heading has %zu columns", t->walk->path, t->line,
                    count, count == 1 ? "" : "s", t->width);
    for (size_t i = 0; i < count; i++)
        if (text_number(field[i], &value[t->kind[i]]))
            return fail(e, ERROR_INPUT, "%s:%zu: %s %s: expected a number", t->walk->path, t->line, names[t->kind[i]],
                        quoted(safe, field[i]));
    row.time = value[TIME];
    memcpy(row.position, value + X, sizeof row.position);
    memcpy(row.turn, value + YAW, sizeof row.turn);
    return check_step(t->walk, &row, e) || add_row(t, &row, e) ? -1 : 0;
}

static int read_lines(struct table *t, char *text, struct error *e)
{
    for (char *at = text, *end; at; at = end) {
        end = strchr(at, '\n');
        if (end)
            *end++ = '\0';
        t->line++;
        at[strcspn(at, "\r")] = '\0';
        at += strspn(at, " \t");
        if (!*at || *at == '#')
            continue;
        if (t->width ? read_row(t, at, e) : read_heading(t, at, e))
            return -1;
    }
    if (t->walk->count)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: has no rows; expected a line such as time,x,y,z and a line of numbers for each instant",
                t->walk->path);
}

int walk_read(struct walk *w, const char *path, struct error *e)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    char *text = NULL;
    struct table t = {.walk = w};
    memset(w, 0, sizeof *w);
    w->path = path;
    if (file_read_text(path, BYTES_MAX, &text, e))
        return -1;
    const bool marked = !strncmp(text, byte_order_mark, strlen(byte_order_mark));
    const int status = read_lines(&t, text + (marked ? strlen(byte_order_mark) : 0), e);
    free(text);
    if (status)
        walk_free(w);
    return status;
}

void walk_free(struct walk *w)
{
    free(w->rows);
    memset(w, 0, sizeof *w);
}

void walk_at(const struct walk *w, double time, double position[3], double turn[3])
{
    size_t low = 0, high = w->count - 1;
    while (low < high) { /* the last row at or before the time, or the first */
        const size_t middle = (low + high + 1) / 2;
        if (w->rows[middle].time <= time)
            low = middle;
        else
            high = middle - 1;
    }
    const struct walk_row *a = &w->rows[low], *b = low + 1 < w->count ? a + 1 : a;
    const double part = b > a && time > a->time ? (time - a->time) / (b->time - a->time) : 0.0;
    for (int i = 0; i < 3; i++) {
        position[i] = a->position[i] + part * (b->position[i] - a->position[i]);
        if (turn)
            turn[i] = a->turn[i] + part * remainder(b->turn[i] - a->turn[i], 360.0);
    }
}
