/* SPDX-License-Identifier: MIT */
#include "present/views/section_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The voxel in the middle of a cell; in the last, partial cell it lies closer to the start. */
static size_t sample(const struct section_map *m, const struct viewed_room *room, int axis, size_t cell)
{
    const size_t at = (cell - 1) * m->step + m->step / 2, last = voxel_set_count(room->set, axis) - 1;
    return at < last ? at : last;
}

static void place_voxel(size_t at[3], const struct section_map *m, const struct viewed_room *room, size_t column,
                        size_t row, size_t depth)
{
    at[m->axes[0]] = sample(m, room, m->axes[0], column);
    at[m->axes[1]] = sample(m, room, m->axes[1], row);
    at[m->axes[2]] = depth;
}

/* A plan is seen downwards, sections are upwards along their axis. */
static int side_seen(const struct section_map *m)
{
    return m->axes[2] == 2 ? FACE_Z_MIN : 2 * m->axes[2] + 1;
}

static void see(struct section_map *m, const struct viewed_room *room, size_t index, const size_t last[3],
                uint32_t distance)
{
    const struct face_run *face = voxel_set_face(room->set, last[0], last[1], last[2], side_seen(m));
    m->seen[index] = (uint16_t)(SECTION_CODES + (face ? (int)face->code : (int)CELL_FIXED));
    m->distance[index] = distance;
}

/* Along x: the end of the run of air in the cut. */
static void look_along_x(struct section_map *m, const struct viewed_room *room)
{
    for (size_t row = 1; row + 1 < m->rows; row++)
        for (size_t column = 1; column + 1 < m->columns; column++) {
            size_t at[3];
            place_voxel(at, m, room, column, row, m->cut);
            const struct voxel_row r = voxel_set_row(room->set, at[1], at[2]);
            for (size_t i = 0; i < r.air_count; i++)
                if (r.air[i].start <= m->cut && m->cut < r.air[i].end) {
                    at[0] = r.air[i].end - 1;
                    see(m, room, section_at(m, column, row), at, r.air[i].end - (uint32_t)m->cut);
                }
        }
}

/* One row of cells: rows of voxels one behind the other, until no cell is open. open: [columns], of cells. */
static void look_through(struct section_map *m, const struct viewed_room *room, size_t row, bool *open)
{
    const bool down = m->axes[2] == 2;
    const size_t count = voxel_set_count(room->set, m->axes[2]), deepest = down ? m->cut + 1 : count - m->cut;
    size_t left = m->columns - 2;
    memset(open, 1, m->columns * sizeof *open);
    for (uint32_t distance = 0; distance <= deepest && left; distance++) {
        size_t at[3], last[3];
        const size_t depth = down ? m->cut - distance : m->cut + distance; /* wraps below 0: no air */
        place_voxel(at, m, room, 1, row, depth);
        const struct voxel_row r = voxel_set_row(room->set, at[1], at[2]);
        for (size_t column = 1, run = 0; column + 1 < m->columns; column++) {
            at[0] = sample(m, room, 0, column);
            while (run < r.air_count && r.air[run].end <= at[0])
                run++;
            if (!open[column] || (run < r.air_count && r.air[run].start <= at[0]))
                continue;
            open[column] = false;
            left--;
            memcpy(last, at, sizeof last);
            last[m->axes[2]] = down ? depth + 1 : depth - 1;
            if (distance)
                see(m, room, section_at(m, column, row), last, distance);
        }
    }
}

/* Marks cells without air as enclosed unless they connect to the ring. stack: [rows columns]. */
static void find_enclosed(struct section_map *m, size_t *stack)
{
    size_t count = 1;
    for (size_t i = 0; i < m->rows * m->columns; i++)
        if (!section_is_air(m, i))
            m->seen[i] = SECTION_ENCLOSED;
    stack[0] = 0;
    m->seen[0] = SECTION_OUTSIDE;
    while (count) {
        const size_t at = stack[--count], column = at % m->columns, row = at / m->columns;
        const size_t beside[4] = {at - 1, at + 1, at - m->columns, at + m->columns};
        const bool there[4] = {column > 0, column + 1 < m->columns, row > 0, row + 1 < m->rows};
        for (int i = 0; i < 4; i++)
            if (there[i] && m->seen[beside[i]] == SECTION_ENCLOSED) {
                m->seen[beside[i]] = SECTION_OUTSIDE;
                stack[count++] = beside[i];
            }
    }
}

int section_map_make(struct section_map *m, const struct viewed_room *room, const struct section_place *place,
                     size_t cells, struct error *e)
{
    memset(m, 0, sizeof *m);
    m->axes[0] = place->across;
    m->axes[1] = place->up;
    m->axes[2] = 3 - place->across - place->up;
    size_t count[3];
    for (int i = 0; i < 3; i++)
        count[i] = voxel_set_count(room->set, m->axes[i]);
    const size_t longest = count[0] > count[1] ? count[0] : count[1];
    m->step = (longest + cells - 1) / cells;
    m->columns = (count[0] + m->step - 1) / m->step + 2;
    m->rows = (count[1] + m->step - 1) / m->step + 2;
    const double cut = floor((place->cut - room->origin[m->axes[2]]) / room->spacing);
    m->cut = cut > 0.0 ? (size_t)fmin(cut, (double)count[2] - 1.0) : 0;
    m->seen = calloc(m->rows * m->columns, sizeof *m->seen);
    m->distance = calloc(m->rows * m->columns, sizeof *m->distance);
    size_t *stack = calloc(m->rows * m->columns, sizeof *stack);
    bool *open = calloc(m->columns, sizeof *open);
    const bool lost = !m->seen || !m->distance || !stack || !open;
    if (!lost) {
        if (m->axes[2] == 0)
            look_along_x(m, room);
        else
            for (size_t row = 1; row + 1 < m->rows; row++)
                look_through(m, room, row, open);
        find_enclosed(m, stack);
    }
    free(stack);
    free(open);
    if (!lost)
        return 0;
    section_map_free(m);
    return fail(e, ERROR_MEMORY, "out of memory");
}

void section_map_free(struct section_map *m)
{
    free(m->seen);
    free(m->distance);
    memset(m, 0, sizeof *m);
}

uint8_t section_edge(const struct section_map *m, const struct viewed_room *room, size_t column, size_t row,
                     int direction)
{
    const int axis = m->axes[direction / 2], side = 2 * axis + direction % 2;
    size_t at[3];
    place_voxel(at, m, room, column, row, m->cut);
    for (size_t i = 0; i <= 2 * m->step; i++) { /* the neighbour's sample is at most so far */
        const struct face_run *face = voxel_set_face(room->set, at[0], at[1], at[2], side);
        if (face)
            return (uint8_t)face->code;
        at[axis] += direction % 2 ? 1 : SIZE_MAX; /* back by one */
    }
    return CELL_FIXED;
}
