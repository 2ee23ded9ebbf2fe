/* SPDX-License-Identifier: MIT */
#include "solver/cpu/row_shapes.h"

#include <stdlib.h>

enum { LINK_X_MIN = 1, LINK_X_MAX = 2 };

/* bit offsets; start and end fit, as they are below ROW_POINTS_MAX */
enum { END_AT = 27, CLOSED_LEFT_AT = 54, CLOSED_RIGHT_AT = 55, ABSORBS_LEFT_AT = 56, ABSORBS_RIGHT_AT = 57 };

static uint64_t pack(const struct row_shape *s)
{
    return s->start | (uint64_t)s->end << END_AT | (uint64_t)s->closed_left << CLOSED_LEFT_AT |
           (uint64_t)s->closed_right << CLOSED_RIGHT_AT | (uint64_t)s->absorbs_left << ABSORBS_LEFT_AT |
           (uint64_t)s->absorbs_right << ABSORBS_RIGHT_AT;
}

struct row_shape row_shape_of(uint64_t packed)
{
    const uint64_t places = ((uint64_t)1 << END_AT) - 1;
    return (struct row_shape){.start = (uint32_t)(packed & places),
                              .end = (uint32_t)(packed >> END_AT & places),
                              .closed_left = packed >> CLOSED_LEFT_AT & 1u,
                              .closed_right = packed >> CLOSED_RIGHT_AT & 1u,
                              .absorbs_left = packed >> ABSORBS_LEFT_AT & 1u,
                              .absorbs_right = packed >> ABSORBS_RIGHT_AT & 1u};
}

/* Largest number of values in a cache line; points on different cache lines never share a
 * vector. */
enum { LINE_POINTS = ROW_ALIGNMENT / sizeof(float) };

/* Packs a row of one run or, between walls, of three: a point, the run, a point. Absorbing
 * walls, at wall_x[0 .. walls - 1], are allowed at closed ends in different vectors. */
static uint64_t pack_row(const struct run *runs, size_t count, const uint32_t *wall_x, size_t walls)
{
    const struct run *last = runs + count - 1;
    const bool left = count > 1 && runs[0].links == (LINKS_ALL & ~LINK_X_MIN) && runs[0].length == 1;
    const bool right = count > 1 && last->links == (LINKS_ALL & ~LINK_X_MAX) && last->length == 1;
    const struct run *run = runs + (left ? 1 : 0);
    if (count != 1u + left + right || run->links != LINKS_ALL || (left && run->start != runs->start + 1) ||
        (right && last->start != run->start + run->length))
        return 0;
    struct row_shape shape = {
        .start = runs->start, .end = last->start + last->length, .closed_left = left, .closed_right = right};
    if (walls == 0)
        return pack(&shape);
    const bool two_lines = shape.start / LINE_POINTS < (shape.end - 1) / LINE_POINTS;
    shape.absorbs_left = left && wall_x[0] == shape.start;
    shape.absorbs_right = right && wall_x[walls - 1] == shape.end - 1;
    return two_lines && walls == (size_t)shape.absorbs_left + shape.absorbs_right ? pack(&shape) : 0;
}

static void clear_branched(void *context, const struct branch_span *span)
{
    uint64_t *shapes = context;
    for (size_t i = 0; i < (span->segment->along_y ? span->count : 1); i++)
        shapes[span->row + i] = 0;
}

uint64_t *row_shapes_make(const struct rows *rows, const struct channels *channels)
{
    uint64_t *shapes = calloc(rows->count, sizeof *shapes);
    for (size_t row = 0; shapes && row < rows->count; row++) {
        const uint64_t first = rows->run_start[row], end = rows->run_start[row + 1];
        const uint64_t wall = rows->wall_start[row], walls = rows->wall_start[row + 1] - wall;
        const bool driven = channels->drive_start[row] < channels->drive_start[row + 1];
        if (first < end && !driven)
            shapes[row] = pack_row(rows->runs + first, (size_t)(end - first), rows->wall_x + wall, (size_t)walls);
    }
    if (shapes && rows->branches.point_count > 0)
        for (size_t row = 0; row < rows->count; row += rows->ny)
            branches_visit(&rows->branches, rows->ny, row, row + rows->ny, clear_branched, shapes);
    return shapes;
}

static bool unrolls(const uint64_t *shapes, size_t ny, size_t row, size_t steps)
{
    bool unrolled = shapes[row] != 0;
    for (size_t k = 1; k < steps; k++)
        unrolled = unrolled && shapes[row - k * ny] == shapes[row];
    return unrolled;
}

size_t row_shapes_end(const uint64_t *shapes, size_t ny, size_t row0, size_t row1, size_t steps, bool *unrolled)
{
    size_t row = row0 + 1;
    *unrolled = unrolls(shapes, ny, row0, steps);
    while (row < row1 && unrolls(shapes, ny, row, steps) == *unrolled && (!*unrolled || shapes[row] == shapes[row0]))
        row++;
    return row;
}
