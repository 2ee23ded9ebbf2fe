/* SPDX-License-Identifier: MIT */
#include "present/views/section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "present/views/section_map.h"

enum { CELLS_MAX = 640, LEFT = 0, RIGHT, BELOW, ABOVE };
static const double STEP = 0.15; /* m: smallest step that is drawn as a line */

struct section {
    const struct section_place *place;
    const struct viewed_room *room;
    struct drawing *d;
    struct section_map map;
    bool *traced; /* [rows][columns]: cells whose lower edge is in an outline */
    bool *used;   /* [room->material_count] of edges in the cut; NULL: not wanted */
};

/* Units of a corner of cells: the lower left one of a cell, or the end of the room. */
static double place_x(const struct section *s, size_t column)
{
    const int axis = s->map.axes[0];
    const double at = fmin((double)((column - 1) * s->map.step), (double)voxel_set_count(s->room->set, axis));
    return s->place->x + s->place->scale * (s->room->origin[axis] + s->room->spacing * at - s->place->from[axis]);
}

static double place_y(const struct section *s, size_t row)
{
    const int axis = s->map.axes[1];
    const double at = fmin((double)((row - 1) * s->map.step), (double)voxel_set_count(s->room->set, axis));
    return s->place->y - s->place->scale * (s->room->origin[axis] + s->room->spacing * at - s->place->from[axis]);
}

static int colour_of(const struct section *s, uint8_t code)
{
    const size_t material = view_material(s->room, code);
    return material < s->room->material_count ? DRAWING_SERIES + (int)(material % DRAWING_SERIES_COUNT) : DRAWING_FAINT;
}

static bool holds(const struct section *s, size_t column, size_t row, uint16_t label)
{
    return s->map.seen[section_at(&s->map, column, row)] == label;
}

/* Around a region, which lies to the left, from the lower edge of a cell on; cells that touch at a corner are one. */
static void trace(struct section *s, size_t column, size_t row, uint16_t label)
{
    static const int ahead[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}}; /* of a corner */
    /* of the cells around a corner: the one ahead to the right, and to the left */
    static const int cells[4][2][2] = {{{0, -1}, {0, 0}}, {{0, 0}, {-1, 0}}, {{-1, 0}, {-1, -1}}, {{-1, -1}, {0, -1}}};
    size_t x = column, y = row;
    int heading = 0;
    drawing_move(s->d, place_x(s, x), place_y(s, y));
    do {
        if (heading == 0)
            s->traced[section_at(&s->map, x, y)] = true;
        x += (size_t)ahead[heading][0];
        y += (size_t)ahead[heading][1];
        const int(*around)[2] = cells[heading];
        int turn = 1;
        if (holds(s, x + (size_t)around[0][0], y + (size_t)around[0][1], label))
            turn = -1;
        else if (holds(s, x + (size_t)around[1][0], y + (size_t)around[1][1], label))
            turn = 0;
        heading = (heading + turn + 4) % 4;
        if (turn && !(x == column && y == row))
            drawing_line(s->d, place_x(s, x), place_y(s, y));
    } while (x != column || y != row || heading != 0);
    drawing_close_path(s->d);
}

/* All cells of a label as one path; false: there are none. */
static bool outline(struct section *s, uint16_t label)
{
    bool any = false;
    for (size_t row = 1; row + 1 < s->map.rows; row++)
        for (size_t column = 1; column + 1 < s->map.columns; column++)
            if (holds(s, column, row, label) && !holds(s, column, row - 1, label) &&
                !s->traced[section_at(&s->map, column, row)]) {
                trace(s, column, row, label);
                any = true;
            }
    return any;
}

static void fill_regions(struct section *s)
{
    bool present[SECTION_CODES + CELL_CODES] = {false};
    for (size_t i = 0; i < s->map.rows * s->map.columns; i++)
        present[s->map.seen[i]] = true;
    for (int label = SECTION_ENCLOSED; label < SECTION_CODES + CELL_CODES; label++) {
        if (!present[label] || !outline(s, (uint16_t)label))
            continue;
        const int colour = label == SECTION_ENCLOSED ? DRAWING_SOLID : colour_of(s, (uint8_t)(label - SECTION_CODES));
        drawing_fill(s->d, colour, label == SECTION_ENCLOSED ? 0.55 : 0.2);
        drawing_stroke(s->d, colour, 0.25);
    }
}

/* Colour of the line between two neighbouring cells, the second one above or to the right of the first; -1: no line. */
typedef int edge_function(const struct section *s, size_t column, size_t row, bool upright);

static size_t neighbour(const struct section *s, size_t column, size_t row, bool upright)
{
    return upright ? section_at(&s->map, column + 1, row) : section_at(&s->map, column, row + 1);
}

static int step_edge(const struct section *s, size_t column, size_t row, bool upright)
{
    const size_t a = section_at(&s->map, column, row), b = neighbour(s, column, row, upright);
    if (!section_is_air(&s->map, a) || !section_is_air(&s->map, b))
        return -1;
    const double jump = fabs((double)s->map.distance[a] - (double)s->map.distance[b]) * s->room->spacing;
    return jump > fmax(STEP, 3.0 * (double)s->map.step * s->room->spacing) ? DRAWING_FAINT : -1;
}

static int cut_edge(const struct section *s, size_t column, size_t row, bool upright)
{
    const size_t a = section_at(&s->map, column, row), b = neighbour(s, column, row, upright);
    const bool first = section_is_air(&s->map, a), second = section_is_air(&s->map, b);
    if (first == second)
        return -1;
    const uint8_t code = first     ? section_edge(&s->map, s->room, column, row, upright ? RIGHT : ABOVE)
                         : upright ? section_edge(&s->map, s->room, column + 1, row, LEFT)
                                   : section_edge(&s->map, s->room, column, row + 1, BELOW);
    if (s->used && view_material(s->room, code) < s->room->material_count)
        s->used[view_material(s->room, code)] = true;
    return colour_of(s, code);
}

/* Edges of one line of corners, as long as their colour is the same. */
static void draw_edges_along(struct section *s, edge_function *edge, size_t line, bool upright, double width)
{
    const size_t count = upright ? s->map.rows : s->map.columns;
    int open = -1;
    size_t since = 0;
    for (size_t i = 0; i < count; i++) {
        const int colour = i + 1 == count ? -1 : upright ? edge(s, line, i, true) : edge(s, i, line, false);
        if (colour == open)
            continue;
        if (open >= 0) {
            drawing_move(s->d, place_x(s, upright ? line + 1 : since), place_y(s, upright ? since : line + 1));
            drawing_line(s->d, place_x(s, upright ? line + 1 : i), place_y(s, upright ? i : line + 1));
            drawing_stroke(s->d, open, width);
        }
        open = colour;
        since = i;
    }
}

static void draw_edges(struct section *s, edge_function *edge, double width)
{
    for (size_t column = 0; column + 1 < s->map.columns; column++)
        draw_edges_along(s, edge, column, true, width);
    for (size_t row = 0; row + 1 < s->map.rows; row++)
        draw_edges_along(s, edge, row, false, width);
}

static void draw_all(struct section *s)
{
    fill_regions(s);
    draw_edges(s, step_edge, 0.5);
    draw_edges(s, cut_edge, 2.0);
}

static void draw_cut(struct section *s)
{
    if (outline(s, SECTION_ENCLOSED)) {
        drawing_hatch(s->d, DRAWING_FAINT, 1.0, 7.0);
        drawing_stroke(s->d, DRAWING_FAINT, 0.5);
    }
    draw_edges(s, cut_edge, 3.0);
}

static int draw(struct section *s, void (*parts)(struct section *s), struct error *e)
{
    if (section_map_make(&s->map, s->room, s->place, CELLS_MAX, e))
        return -1;
    s->traced = calloc(s->map.rows * s->map.columns, sizeof *s->traced);
    const int status = s->traced ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        parts(s);
    free(s->traced);
    section_map_free(&s->map);
    return status;
}

int section_draw(const struct section_place *place, const struct viewed_room *room, struct drawing *d, struct error *e)
{
    struct section s = {.place = place, .room = room, .d = d};
    return draw(&s, draw_all, e);
}

int section_draw_edges(const struct section_place *place, const struct viewed_room *room, struct drawing *d, bool *used,
                       struct error *e)
{
    struct section s = {.place = place, .room = room, .d = d, .used = used};
    return draw(&s, draw_cut, e);
}
