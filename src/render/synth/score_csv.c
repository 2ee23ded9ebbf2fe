/* SPDX-License-Identifier: MIT */
#include "render/synth/score_csv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "room/instrument.h"
#include "room/keys.h"
#include "room/notes.h"

enum { BYTES_MAX = 16 << 20 };
enum column {
    TIME,
    INSTRUMENT,
    PLACE,
    PLACE_2,
    FORCE,
    DURATION,
    NOTE,
    PITCH,
    VELOCITY,
    HOLD,
    FORCE_CURVE,
    VELOCITY_CURVE,
    PLACE_CURVE,
    BREATH,
    BREATH_CURVE,
    COLUMNS
};
static const char *const column_names[COLUMNS] = {[TIME] = "time",
                                                  [INSTRUMENT] = "instrument",
                                                  [PLACE] = "place",
                                                  [PLACE_2] = "place2",
                                                  [FORCE] = "force",
                                                  [DURATION] = "duration",
                                                  [NOTE] = "note",
                                                  [PITCH] = "pitch",
                                                  [VELOCITY] = "velocity",
                                                  [HOLD] = "hold",
                                                  [FORCE_CURVE] = "force_curve",
                                                  [VELOCITY_CURVE] = "velocity_curve",
                                                  [PLACE_CURVE] = "place_curve",
                                                  [BREATH] = "breath",
                                                  [BREATH_CURVE] = "breath_curve"};

struct table {
    const struct room *room;
    const char *path;
    char *at; /* in the text, which is split into fields in place */
    int line;
    enum column columns[COLUMNS]; /* in the order of the file */
    size_t width;
    size_t unnamed; /* empty columns at the end, as spreadsheets write them */
    struct error *error;
};

static int refuse(const struct table *t, const char *what)
{
    return fail(t->error, ERROR_INPUT, "%s:%d: %s", t->path, t->line, what);
}

static int refuse_field(const struct table *t, enum column column, const char *what)
{
    return fail(t->error, ERROR_INPUT, "%s:%d: %s: %s", t->path, t->line, column_names[column], what);
}

static bool at_line_end(const char *at)
{
    return !*at || *at == '\n' || *at == '\r';
}

static void skip_line_end(struct table *t)
{
    t->at += *t->at == '\r';
    t->at += *t->at == '\n';
}

static void skip_blanks(struct table *t)
{
    while (*t->at == ' ' || *t->at == '\t')
        t->at++;
}

/* A field in quotes; "" stands for a quote. */
static int next_quoted(struct table *t, char **field)
{
    char *end = ++t->at;
    for (*field = end; *t->at != '"' || t->at[1] == '"'; t->at++) {
        if (at_line_end(t->at))
            return refuse(t, "a text begins with \" but does not end on this line; close it");
        t->at += *t->at == '"';
        *end++ = *t->at;
    }
    t->at++;
    *end = '\0';
    skip_blanks(t);
    if (*t->at != ',' && !at_line_end(t->at))
        return refuse(t, "expected a comma after the closing \"");
    return 0;
}

/* *last: this field ends the line. */
static int next_field(struct table *t, char **field, bool *last)
{
    char *end = NULL;
    skip_blanks(t);
    if (*t->at == '"') {
        if (next_quoted(t, field))
            return -1;
    } else {
        *field = t->at;
        while (*t->at != ',' && !at_line_end(t->at))
            t->at++;
        for (end = t->at; end > *field && (end[-1] == ' ' || end[-1] == '\t'); end--)
            ;
    }
    *last = *t->at != ',';
    if (*last)
        skip_line_end(t);
    else
        t->at++;
    if (end)
        *end = '\0';
    return 0;
}

static bool next_line_with_text(struct table *t)
{
    for (;; t->line++) {
        skip_blanks(t);
        if (!*t->at || !at_line_end(t->at))
            return *t->at != '\0';
        skip_line_end(t);
    }
}

static bool has(const struct table *t, enum column column)
{
    for (size_t i = 0; i < t->width; i++)
        if (t->columns[i] == column)
            return true;
    return false;
}

static int read_column(struct table *t, char *name)
{
    char given[QUOTED];
    size_t column = 0;
    quoted(given, name);
    for (char *letter = name; *letter; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    while (column < COLUMNS && strcmp(name, column_names[column]) != 0)
        column++;
    if (column == COLUMNS) {
        const ptrdiff_t closest = text_closest(name, column_names, COLUMNS);
        return fail(t->error, ERROR_INPUT,
                    closest < 0 ? "%s:%d: unknown column \"%s\"; known are time, instrument, place, place2, force, "
                                  "duration, note, pitch, velocity, hold, breath and the curves%s"
                                : "%s:%d: unknown column \"%s\"; did you mean %s?",
                    t->path, t->line, given, closest < 0 ? "" : column_names[closest]);
    }
    if (has(t, (enum column)column))
        return refuse_field(t, (enum column)column, "the column appears twice; remove one");
    t->columns[t->width++] = (enum column)column;
    return 0;
}

static int check_separators(const struct table *t)
{
    const size_t length = strcspn(t->at, "\r\n"), other = strcspn(t->at, ";\t");
    if (other >= length || strcspn(t->at, ",") < length)
        return 0;
    return fail(t->error, ERROR_INPUT, "%s:%d: columns are separated by %s; export the table with commas", t->path,
                t->line, t->at[other] == ';' ? "semicolons" : "tabs");
}

static int read_header(struct table *t)
{
    char *field;
    bool last = false;
    if (!next_line_with_text(t))
        return refuse(t, "is empty; expected a line of column names such as time,instrument,place,force,duration,note");
    if (check_separators(t))
        return -1;
    while (!last) {
        if (next_field(t, &field, &last))
            return -1;
        if (!*field)
            t->unnamed++;
        else if (t->unnamed)
            return fail(t->error, ERROR_INPUT, "%s:%d: column %zu has no name; name or remove it", t->path, t->line,
                        t->width + 1);
        else if (read_column(t, field))
            return -1;
    }
    for (enum column column = TIME; column <= INSTRUMENT; column++)
        if (!has(t, column))
            return refuse_field(t, column, "the column is missing; add it to the first line, which names the columns");
    if (has(t, PLACE_2) && !has(t, PLACE))
        return refuse_field(t, PLACE_2, "needs the column place as well");
    t->line++;
    return 0;
}

static int refuse_out_of_range(const struct table *t, enum column column, const struct key *key, double value)
{
    char range[96], what[256];
    key_range_text(key, range, sizeof range);
    snprintf(what, sizeof what, "%.9g is out of range: expected %s %s", value, range, key->unit ? key->unit : "");
    return refuse_field(t, column, what);
}

/* Checked against the range of the key of the same name in score.events. */
static int read_field_number(const struct table *t, enum column column, const char *text, double *value)
{
    const struct key *key = key_find("score.events[]", column_names[column == PLACE_2 ? PLACE : column], 0);
    char what[256], given[QUOTED];
    if (text_number(text, value)) {
        snprintf(what, sizeof what, "\"%s\" is not a number%s%s", quoted(given, text),
                 key->unit && *key->unit ? " in " : "", key->unit ? key->unit : "");
        return refuse_field(t, column, what);
    }
    if ((column == FORCE || column == DURATION || column == HOLD || column == BREATH) &&
        *value <= 0) /* 0 means absent */
        return refuse_field(t, column, "must be positive; leave it empty for the instrument's own value");
    return key_in_range(key, *value) ? 0 : refuse_out_of_range(t, column, key, *value);
}

/* "0:0.2 0.5:0.8": seconds and values. */
static int read_field_curve(const struct table *t, enum column column, char *text, struct curve *curve)
{
    static const char expected[] = "expected seconds:value pairs with ascending times such as 0:0.2 0.5:0.8";
    const struct key *key = key_find("score.events[]", column_names[column], 0);
    size_t available = 1;
    for (const char *at = text; *at; at++)
        available += *at == ':';
    curve->points = calloc(available, sizeof *curve->points);
    if (!curve->points)
        return fail(t->error, ERROR_MEMORY, "%s: out of memory", t->path);
    char *rest = text, *pair;
    while ((pair = strtok_r(rest, " \t", &rest))) {
        double *point = curve->points[curve->count];
        char *colon = strchr(pair, ':');
        if (!colon || curve->count == available)
            return refuse_field(t, column, expected);
        *colon = '\0';
        if (text_number(pair, &point[0]) || text_number(colon + 1, &point[1]) || !(point[0] >= 0.0) ||
            (curve->count && !(point[0] > point[-2])))
            return refuse_field(t, column, expected);
        if (!key_in_range(key, point[1]))
            return refuse_out_of_range(t, column, key, point[1]);
        curve->count++;
    }
    return curve->count ? 0 : refuse_field(t, column, expected);
}

static int read_field(const struct table *t, enum column column, char *text, struct event *event)
{
    char why[INSTRUMENT_WHY], given[QUOTED];
    switch (column) {
    case TIME:
        return read_field_number(t, column, text, &event->time);
    case INSTRUMENT:
        event->instrument = instrument_find(t->room, text, why);
        return event->instrument == SIZE_MAX ? refuse_field(t, column, why) : 0;
    case PLACE:
    case PLACE_2:
        event->placed = true;
        return read_field_number(t, column, text, &event->place[column == PLACE_2]);
    case FORCE:
        return read_field_number(t, column, text, &event->force);
    case DURATION:
        return read_field_number(t, column, text, &event->duration);
    case PITCH:
        return read_field_number(t, column, text, &event->pitch);
    case VELOCITY:
        return read_field_number(t, column, text, &event->velocity);
    case HOLD:
        return read_field_number(t, column, text, &event->hold);
    case FORCE_CURVE:
        return read_field_curve(t, column, text, &event->force_curve);
    case VELOCITY_CURVE:
        return read_field_curve(t, column, text, &event->velocity_curve);
    case PLACE_CURVE:
        return read_field_curve(t, column, text, &event->place_curve);
    case BREATH:
        return read_field_number(t, column, text, &event->breath);
    case BREATH_CURVE:
        return read_field_curve(t, column, text, &event->breath_curve);
    case NOTE:
        if (!note_pitch(text, &event->pitch))
            return 0;
        snprintf(why, sizeof why,
                 "\"%s\" is not a note; expected a name such as C#4 or Bb3, or a MIDI number from 0 to 127",
                 quoted(given, text));
        return refuse_field(t, column, why);
    case COLUMNS:
        break;
    }
    return -1;
}

static int read_event(struct table *t, struct event *event)
{
    char *field;
    char text[QUOTED];
    bool last = false, given[COLUMNS] = {false};
    size_t width = 0;
    *event = (struct event){.origin = {t->path, t->line}};
    for (; !last; width++) {
        if (next_field(t, &field, &last))
            return -1;
        if (!*field)
            continue;
        if (width >= t->width && width < t->width + t->unnamed)
            return fail(t->error, ERROR_INPUT, "%s:%d: field %zu, \"%s\", is in a column without a name", t->path,
                        t->line, width + 1, quoted(text, field));
        if (width >= t->width)
            continue;
        given[t->columns[width]] = true;
        if (read_field(t, t->columns[width], field, event))
            return -1;
    }
    if (width < t->width || width > t->width + t->unnamed)
        return fail(t->error, ERROR_INPUT, "%s:%d: has %zu fields, but the first line names %zu columns", t->path,
                    t->line, width, t->width);
    for (enum column column = TIME; column <= INSTRUMENT; column++)
        if (!given[column])
            return refuse_field(t, column, "is missing");
    if (given[PLACE_2] && !given[PLACE])
        return refuse_field(t, PLACE, "is missing, but place2 is present");
    if (given[NOTE] && given[PITCH])
        return refuse_field(t, PITCH, "a note is present as well; remove one of the two");
    t->line++;
    return 0;
}

int score_csv_read(struct event **events, size_t *count, const struct room *room, const char *path, struct error *e)
{
    char *text = NULL;
    size_t available = 0;
    struct table t = {.room = room, .path = path, .line = 1, .error = e};
    *events = NULL;
    *count = 0;
    if (file_read_text(path, BYTES_MAX, &text, e))
        return -1;
    t.at = text + (strncmp(text, "\xEF\xBB\xBF", 3) ? 0 : 3);
    int status = read_header(&t);
    while (!status && next_line_with_text(&t)) {
        if (*count == available) {
            available = available ? 2 * available : 64;
            struct event *more = realloc(*events, available * sizeof *more);
            if (!more) {
                status = fail(e, ERROR_MEMORY, "%s: out of memory", path);
                break;
            }
            *events = more;
        }
        status = read_event(&t, &(*events)[*count]);
        *count += !status;
    }
    free(text);
    if (status) {
        for (size_t i = 0; i < *count + (*events != NULL && *count < available); i++)
            event_free(&(*events)[i]);
        free(*events);
        *events = NULL;
        *count = 0;
    }
    return status ? -1 : 0;
}
