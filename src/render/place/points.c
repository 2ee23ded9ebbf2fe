/* SPDX-License-Identifier: MIT */
#include "render/place/points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/text.h"
#include "room/grid/place_air.h"

enum { CSV_BYTES = 4 << 20 };

static const double ON_WALL = 1e-6;     /* of a grid spacing */
static const double FLOOR_HEIGHT = 0.2; /* m, of candidates */
static const double ROUNDED = 1e-6;     /* m: positions are whole multiples */

void place_points_free(struct place_points *points)
{
    for (size_t i = 0; points->name && i < points->count; i++)
        free(points->name[i]);
    free(points->at);
    free(points->name);
    memset(points, 0, sizeof *points);
}

static int add_point(struct place_points *points, const double at[3], const char *name, struct error *e)
{
    void *longer = realloc(points->at, (points->count + 1) * sizeof *points->at);
    points->at = longer ? longer : points->at;
    void *names = longer ? realloc(points->name, (points->count + 1) * sizeof *points->name) : NULL;
    points->name = names ? names : points->name;
    char *copy = names ? text_copy(name) : NULL;
    if (!copy)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(points->at[points->count], at, sizeof *points->at);
    points->name[points->count++] = copy;
    return 0;
}

/* Three numbers separated by commas, and an optional name after a fourth comma. */
static bool read_triple(double at[3], char name[QUOTED], const char *text)
{
    char piece[64];
    *name = '\0';
    for (int k = 0; k < 3; k++) {
        text += strspn(text, " \t");
        size_t length = strcspn(text, ",\r\n");
        const size_t next = length + (text[length] == ',');
        while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
            length--;
        if (!length || length >= sizeof piece || (k < 2 && text[next] == '\0'))
            return false;
        memcpy(piece, text, length);
        piece[length] = '\0';
        if (text_number(piece, &at[k]))
            return false;
        text += next;
    }
    snprintf(name, QUOTED, "%.*s", (int)strcspn(text, ",\r\n"), text);
    return true;
}

int place_points_add(struct place_points *points, const double at[3], const char *name, struct error *e)
{
    char made[96];
    snprintf(made, sizeof made, "(%.4g, %.4g, %.4g)", at[0], at[1], at[2]);
    return add_point(points, at, name && *name ? name : made, e);
}

static int add_named(struct place_points *points, const char *word, const char *option, bool sources,
                     const struct room *room, struct error *e)
{
    const size_t receivers = room->receiver_count, total = receivers + (sources ? room->source_count : 0);
    char given[QUOTED], hint[HINT];
    const char **names = calloc(total + 1, sizeof *names);
    if (!names)
        return fail(e, ERROR_MEMORY, "out of memory");
    size_t found = total;
    for (size_t i = 0; i < total; i++) {
        names[i] = i < receivers ? room->receivers[i].name : room->sources[i - receivers].name;
        if (found == total && !strcmp(names[i], word))
            found = i;
    }
    const int status =
        found < total
            ? add_point(points,
                        found < receivers ? room->receivers[found].position : room->sources[found - receivers].position,
                        word, e)
            : fail(e, ERROR_USAGE, "--%s %s: %s has no %s of this name; use names of the room file or x,y,z%s", option,
                   quoted(given, word), room->path, sources ? "source or receiver" : "receiver",
                   text_hint(hint, word, names, total));
    free(names);
    return status;
}

/* The part of the text up to a semicolon. */
static int add_part(struct place_points *points, char *part, const char *option, bool sources, const struct room *room,
                    struct error *e)
{
    double at[3];
    char name[QUOTED], *rest = NULL;
    if (read_triple(at, name, part))
        return place_points_add(points, at, name, e);
    for (char *word = strtok_r(part, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        word += strspn(word, " ");
        for (size_t n = strlen(word); n && word[n - 1] == ' ';)
            word[--n] = '\0';
        if (add_named(points, word, option, sources, room, e))
            return -1;
    }
    return 0;
}

static int add_receivers(struct place_points *points, const char *option, const struct room *room, struct error *e)
{
    for (size_t i = 0; i < room->receiver_count; i++)
        if (room->receivers[i].kind == RECEIVER_OMNI &&
            add_point(points, room->receivers[i].position, room->receivers[i].name, e))
            return -1;
    return points->count ? 0
                         : fail(e, ERROR_USAGE, "%s has no receiver of type omni; name the seats with --%s x,y,z",
                                room->path, option);
}

int place_points_named(struct place_points *points, const char *text, const char *option, bool sources,
                       const struct room *room, struct error *e)
{
    char *rest = NULL, *copy;
    int status = 0;
    if (!text)
        return add_receivers(points, option, room, e);
    copy = text_copy(text);
    if (!copy)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (char *part = strtok_r(copy, ";", &rest); part && !status; part = strtok_r(NULL, ";", &rest))
        status = add_part(points, part, option, sources, room, e);
    free(copy);
    if (!status && !points->count)
        status = fail(e, ERROR_USAGE, "--%s: names no place; use names of the room file or x,y,z", option);
    return status;
}

/* Inside the grid, whose walls lie up to half a spacing from those of a box. */
static bool is_inside(const struct model *m, const double at[3])
{
    for (int k = 0; k < 3; k++) {
        const double place = grid_place(&m->grid, at, k);
        if (!(place > ON_WALL && place < (double)m->grid.voxels[k] - ON_WALL))
            return false;
    }
    return true;
}

static bool is_air(const struct model *m, const double at[3])
{
    return is_inside(m, at) && place_is_air(m, at);
}

/* `where`: an option or a line of a file; name: of the place, NULL or its position: none. */
static int check_place(const struct model *m, const double at[3], const char *name, const char *where, struct error *e)
{
    char position[96], given[QUOTED];
    if (is_air(m, at))
        return 0;
    const double *lower = m->room->lower, *size = m->room->size;
    snprintf(position, sizeof position, "(%.4g, %.4g, %.4g)", at[0], at[1], at[2]);
    const bool named = name && *name && strcmp(name, position) != 0;
    const char *shown = named ? quoted(given, name) : "", *between = named ? " at " : "";
    if (is_inside(m, at))
        return fail(e, ERROR_USAGE,
                    "%s: %s%s%s m is not in the air of the room, or within a grid spacing of %.3g m of a wall; move it "
                    "or use a finer grid with --max-frequency",
                    where, shown, between, position, m->grid.spacing);
    return fail(
        e, ERROR_USAGE,
        "%s: %s%s%s m lies on a wall or outside the room, which reaches from (%.4g, %.4g, %.4g) to (%.4g, %.4g, "
        "%.4g) m; move it inside",
        where, shown, between, position, lower[0], lower[1], lower[2], lower[0] + size[0], lower[1] + size[1],
        lower[2] + size[2]);
}

int place_points_check(const struct place_points *points, const char *option, const struct model *m, struct error *e)
{
    char where[QUOTED];
    snprintf(where, sizeof where, "--%s", option);
    for (size_t i = 0; i < points->count; i++)
        if (check_place(m, points->at[i], points->name[i], where, e))
            return -1;
    return 0;
}

/* Whether a line begins with a word; one that begins with a number is a mistake. */
static bool is_heading(const char *text)
{
    return !strchr("0123456789+-.,;", *text);
}

static int read_line(struct place_points *points, const char *text, bool first, const char *where,
                     const struct model *m, struct error *e)
{
    double at[3];
    char name[QUOTED];
    if (read_triple(at, name, text))
        return check_place(m, at, name, where, e) || place_points_add(points, at, name, e) ? -1 : 0;
    return first && is_heading(text) ? 0
                                     : fail(e, ERROR_INPUT, "%s: expected x,y,z in metres and an optional name", where);
}

static int read_csv(struct place_points *points, const char *path, const struct model *m, struct error *e)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8 */
    char *text;
    size_t number = 0;
    int status = 0;
    bool first = true; /* line but for comments: may be a heading */
    if (file_read_text(path, CSV_BYTES, &text, e))
        return -1;
    char *next = text + (strncmp(text, mark, strlen(mark)) ? 0 : strlen(mark));
    while (next && !status) {
        char *line = next;
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        number++;
        line += strspn(line, " \t\r");
        if (!*line || *line == '#')
            continue;
        char *where = text_format("%s:%zu", path, number);
        status = where ? read_line(points, line, first, where, m, e) : fail(e, ERROR_MEMORY, "out of memory");
        free(where);
        first = false;
    }
    free(text);
    if (!status && !points->count)
        status = fail(e, ERROR_INPUT, "%s: has no line of x,y,z in metres", path);
    return status;
}

bool place_is_clear(const struct model *m, const double at[3], double clearance)
{
    for (int i = 0; i < 9; i++) {
        const int x = i % 3 - 1, y = i / 3 - 1;
        const double reach = x && y ? M_SQRT1_2 : 1.0;
        const double beside[3] = {at[0] + reach * clearance * x, at[1] + reach * clearance * y, at[2]};
        if (!is_air(m, beside))
            return false;
    }
    return true;
}

struct lattice {
    double first[2], step[2], height, clearance;
    size_t count[2];
    bool *clear; /* [count[1]][count[0]] */
};

static void lattice_at(double at[3], const struct lattice *l, long x, long y)
{
    at[0] = rint(1e6 * (l->first[0] + l->step[0] * (double)x)) / 1e6;
    at[1] = rint(1e6 * (l->first[1] + l->step[1] * (double)y)) / 1e6;
    at[2] = l->height;
}

static bool clear_at(const struct lattice *l, long x, long y)
{
    return x >= 0 && y >= 0 && x < (long)l->count[0] && y < (long)l->count[1] &&
           l->clear[(size_t)y * l->count[0] + (size_t)x];
}

static bool on_edge(const struct lattice *l, long x, long y)
{
    return !clear_at(l, x - 1, y) || !clear_at(l, x + 1, y) || !clear_at(l, x, y - 1) || !clear_at(l, x, y + 1);
}

static int lay_lattice(struct lattice *l, const struct model *m, double spacing, const char *text, struct error *e)
{
    const struct room *room = m->room;
    const bool box = room_form(room) == ROOM_BOX;
    const double *size = box ? m->grid.size : room->size;
    const double inset = l->clearance, checked = fmax(0.0, inset - 2.0 * ROUNDED);
    for (int k = 0; k < 2; k++) {
        const double span = size[k] - 2.0 * inset, steps = fmax(0.0, ceil(span / spacing - 1e-6));
        if (!(span >= 0.0))
            return fail(e, ERROR_USAGE, "--clearance %g: leaves no place in a room of %g x %g m; use a smaller one",
                        l->clearance, size[0], size[1]);
        if (!(steps < 10000.0))
            return fail(e, ERROR_USAGE, "--candidates \"%s\": too many places; use a larger spacing", text);
        l->count[k] = (size_t)steps + 1;
        l->step[k] = steps > 0.0 ? span / steps : 0.0;
        l->first[k] = room->lower[k] + (steps > 0.0 ? inset : 0.5 * size[k]);
    }
    l->clear = calloc(l->count[0] * l->count[1], sizeof *l->clear);
    if (!l->clear)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < l->count[0] * l->count[1]; i++) {
        double at[3];
        lattice_at(at, l, (long)(i % l->count[0]), (long)(i / l->count[0]));
        l->clear[i] = place_is_clear(m, at, checked);
    }
    return 0;
}

static int add_lattice(struct place_points *points, const struct lattice *l, bool walls, size_t most, const char *text,
                       struct error *e)
{
    for (long y = 0; y < (long)l->count[1]; y++)
        for (long x = 0; x < (long)l->count[0]; x++) {
            double at[3];
            if (!clear_at(l, x, y) || (walls && !on_edge(l, x, y)))
                continue;
            lattice_at(at, l, x, y);
            if (points->count == most)
                return fail(e, ERROR_USAGE, "--candidates \"%s\": more than %zu places; use a larger spacing", text,
                            most);
            if (place_points_add(points, at, NULL, e))
                return -1;
        }
    return points->count
               ? 0
               : fail(e, ERROR_USAGE,
                      "--candidates \"%s\": no place at z = %g m has %g m of air on all sides; use another z=, "
                      "a smaller --clearance or a smaller spacing",
                      text, l->height, l->clearance);
}

/* "grid 0.3 z=0.2" after its first word. ERROR_USAGE. */
static int parse_lattice(double *spacing, double *height, const char *text, const char *rest, struct error *e)
{
    char number[32] = "", place[32] = "";
    char more[2] = "";
    const int words = sscanf(rest, " %31s %31s %1s", number, place, more);
    if (words >= 1 && words <= 2 && !text_number(number, spacing) && *spacing > 0.0 &&
        (words == 1 || (!strncasecmp(place, "z=", 2) && !text_number(place + 2, height))))
        return 0;
    return fail(e, ERROR_USAGE,
                "--candidates \"%s\": expected a spacing and a height in metres, such as \"grid 0.3 z=0.2\"", text);
}

int place_points_spacing(double *spacing, double *height, const char *text, struct error *e)
{
    const char *wanted = text ? text : "grid 0.2";
    return parse_lattice(spacing, height, wanted, strncmp(wanted, "grid ", 5) ? "" : wanted + 5, e);
}

static int lattice_points(struct place_points *points, const char *text, const char *rest, bool walls, double clearance,
                          size_t most, const struct model *m, struct error *e)
{
    const struct room *room = m->room;
    struct lattice l = {.height = room->lower[2] + FLOOR_HEIGHT, .clearance = clearance};
    double spacing;
    int status = parse_lattice(&spacing, &l.height, text, rest, e) || lay_lattice(&l, m, spacing, text, e) ||
                 add_lattice(points, &l, walls, most, text, e);
    free(l.clear);
    return status ? -1 : 0;
}

int place_points_candidates(struct place_points *points, const char *text, double clearance, size_t most,
                            const struct room *room, const struct model *m, struct error *e)
{
    const char *wanted = text ? text : "grid 0.5";
    const size_t length = strlen(wanted);
    if (!strncmp(wanted, "grid ", 5))
        return lattice_points(points, wanted, wanted + 5, false, clearance, most, m, e);
    if (!strncmp(wanted, "walls ", 6))
        return lattice_points(points, wanted, wanted + 6, true, clearance, most, m, e);
    if (length > 4 && !strcasecmp(wanted + length - 4, ".csv")
            ? read_csv(points, wanted, m, e)
            : place_points_named(points, wanted, "candidates", true, room, e))
        return -1;
    if (points->count > most)
        return fail(e, ERROR_USAGE, "--candidates: more than %zu places; name fewer", most);
    return place_points_check(points, "candidates", m, e);
}
