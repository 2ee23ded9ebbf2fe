/* SPDX-License-Identifier: MIT */
#include "solver/cpu/corner_columns.h"

#include <stdlib.h>
#include <string.h>

#include "solver/schemes/isotropic19/isotropic19.h"

enum { SIDES = 16 /* of y and z: lower and upper each */ };

struct builder {
    struct corner_columns *out;
    uint8_t *patterns;          /* [vectors lanes], of a row */
    struct corner_lanes *lanes; /* [vectors], of the row */
    uint32_t *slots;            /* hash table of shapes: number + 1 */
    size_t slot_count, shape_room;
    struct odd_point *unmirrored; /* [vectors lanes]: odd points of the row that are not mirrored */
    size_t unmirrored_count;
    uint64_t odd_count, odd_room;
    uint8_t sides[PATTERN_ALL + 1]; /* of mirrored patterns along y and z: y + 4 z; 0: not mirrored */
};

void corner_columns_free(struct corner_columns *c)
{
    free(c->shapes);
    free(c->rows);
    free(c->odd);
    free(c->odd_start);
    free(c->corners);
    memset(c, 0, sizeof *c);
}

/* Sides of the majority of the mirrored points of a vector. */
static unsigned usual_sides(const struct builder *b, const uint8_t *patterns)
{
    unsigned counts[SIDES] = {0}, best = 0;
    for (size_t k = 0; k < b->out->lanes; k++)
        counts[b->sides[patterns[k]]]++;
    for (unsigned s = 1; s < SIDES; s++)
        if (counts[s] && (!best || counts[s] > counts[best]))
            best = s;
    return best;
}

static int add_odd(struct builder *b, const struct odd_point *points, size_t count)
{
    struct corner_columns *c = b->out;
    if (count == 0)
        return 0;
    if (b->odd_count + count > b->odd_room) {
        const uint64_t room = 2 * b->odd_room + count + 64;
        struct odd_point *more = realloc(c->odd, room * sizeof *more);
        if (!more)
            return -1;
        c->odd = more;
        b->odd_room = room;
    }
    memcpy(c->odd + b->odd_count, points, count * sizeof *points);
    b->odd_count += count;
    return 0;
}

static int classify(struct builder *b, size_t vector)
{
    const size_t lanes = b->out->lanes;
    const uint8_t *patterns = b->patterns + vector * lanes;
    const unsigned sides = usual_sides(b, patterns);
    struct corner_lanes made = {.sides_y = sides & SIDES_BOTH, .sides_z = sides >> 2 & SIDES_BOTH};
    for (size_t k = 0; k < lanes; k++) {
        const uint8_t pattern = patterns[k];
        const unsigned bit = 1u << k;
        if (!pattern)
            continue;
        if (b->sides[pattern] != sides || !sides) {
            const struct odd_point point = {.x = (uint32_t)(vector * lanes + k) & ROW_POINTS_MAX, .pattern = pattern};
            if (!b->sides[pattern])
                b->unmirrored[b->unmirrored_count++] = point;
            else if (add_odd(b, &point, 1))
                return -1;
            continue;
        }
        made.write = (uint16_t)(made.write | bit);
        if (!(corner_sides(pattern, 0) & SIDE_LOWER))
            made.no_left = (uint16_t)(made.no_left | bit);
        if (!(corner_sides(pattern, 0) & SIDE_UPPER))
            made.no_right = (uint16_t)(made.no_right | bit);
    }
    b->lanes[vector] = made;
    return 0;
}

static int classify_row(struct builder *b, const struct rows *rows, size_t row)
{
    struct corner_columns *c = b->out;
    c->odd_start[2 * row] = b->odd_count;
    b->unmirrored_count = 0;
    memset(b->patterns, 0, c->vectors * c->lanes);
    for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++)
        memset(b->patterns + rows->runs[r].start, rows->runs[r].links, rows->runs[r].length);
    for (size_t v = 0; v < c->vectors; v++) {
        if (classify(b, v))
            return -1;
    }
    c->odd_start[2 * row + 1] = b->odd_count;
    return add_odd(b, b->unmirrored, b->unmirrored_count);
}

static size_t slot_of(const struct builder *b, const struct corner_lanes *lanes)
{
    const size_t bytes = b->out->vectors * sizeof *lanes;
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a, by values of 8 bytes */
    for (size_t v = 0; v < b->out->vectors; v++) {
        uint64_t value;
        memcpy(&value, &lanes[v], sizeof value);
        hash = (hash ^ value) * 0x100000001b3u;
        hash ^= hash >> 29;
    }
    size_t slot = (size_t)hash & (b->slot_count - 1);
    while (b->slots[slot] && memcmp(b->out->shapes + (b->slots[slot] - 1) * b->out->vectors, lanes, bytes) != 0)
        slot = (slot + 1) & (b->slot_count - 1);
    return slot;
}
_Static_assert(sizeof(struct corner_lanes) == sizeof(uint64_t), "compared as one value, without padding");

/* Finds or adds the shape of the row just classified. */
static int find_shape(struct builder *b, uint32_t *shape)
{
    struct corner_columns *c = b->out;
    const size_t slot = slot_of(b, b->lanes);
    if (!b->slots[slot]) {
        if (c->shape_count == b->shape_room) {
            const size_t room = 2 * b->shape_room + 64;
            struct corner_lanes *more = realloc(c->shapes, room * c->vectors * sizeof *more);
            if (!more)
                return -1;
            c->shapes = more;
            b->shape_room = room;
        }
        memcpy(c->shapes + c->shape_count * c->vectors, b->lanes, c->vectors * sizeof *b->lanes);
        b->slots[slot] = (uint32_t)++c->shape_count;
    }
    *shape = b->slots[slot] - 1;
    return 0;
}

/* Whether every vector of the row has the same lanes as in the next row along y, with air
 * between them. */
static bool joined(const struct corner_columns *c, size_t row)
{
    const struct corner_lanes *here = corner_lanes_of(c, row), *next = corner_lanes_of(c, row + 1);
    for (size_t v = 0; v < c->vectors; v++) {
        if (here[v].write != next[v].write || here[v].no_left != next[v].no_left ||
            here[v].no_right != next[v].no_right)
            return false;
        if (here[v].write &&
            (here[v].sides_z != next[v].sides_z || !(here[v].sides_y & SIDE_UPPER) || !(next[v].sides_y & SIDE_LOWER)))
            return false;
    }
    return true;
}

static uint16_t one_more(uint16_t count)
{
    return (uint16_t)(count < UINT16_MAX ? count + 1 : count);
}

static void count_alike(struct corner_columns *c, const struct rows *rows)
{
    for (size_t row = rows->count; row-- > 0;) {
        struct corner_row *here = &c->rows[row];
        const bool last = (row + 1) % rows->ny == 0;
        here->alike = last || !joined(c, row) ? 0 : one_more(here[1].alike);
        if (c->odd_start[2 * row] < c->odd_start[2 * row + 2])
            here->even = 0;
        else
            here->even = last ? 1 : one_more(here[1].even);
    }
}

static int scan(struct builder *b, const struct rows *rows)
{
    struct corner_columns *c = b->out;
    for (size_t row = 0; row < rows->count; row++) {
        if (classify_row(b, rows, row) || find_shape(b, &c->rows[row].shape))
            return -1;
    }
    c->odd_start[2 * rows->count] = b->odd_count;
    count_alike(c, rows);
    return 0;
}

static struct odd_corner odd_corner_of(unsigned pattern, const struct rows *rows)
{
    const ptrdiff_t steps[3] = {1, (ptrdiff_t)rows->stride, (ptrdiff_t)(rows->stride * rows->ny)};
    struct odd_corner corner = {.g = 2.0 * ISOTROPIC19_W / __builtin_popcount(pattern)};
    if (corner_mirrors(pattern)) {
        for (int axis = 0; axis < 3; axis++) {
            const unsigned sides = corner_sides(pattern, axis);
            corner.offset[2 * axis] = sides & SIDE_LOWER ? -steps[axis] : steps[axis];
            corner.offset[2 * axis + 1] = sides & SIDE_UPPER ? steps[axis] : -steps[axis];
        }
        return corner;
    }
    const struct corner_neighbours near = corner_neighbours_of(pattern);
    for (int i = 0; i < near.count; i++) {
        const struct corner_neighbour *n = &near.list[i];
        corner.offset[i] = n->dx * steps[0] + n->dy * steps[1] + n->dz * steps[2];
        corner.links[i] = n->links;
    }
    return corner;
}

int corner_columns_make(struct corner_columns *c, const struct rows *rows, size_t lanes)
{
    *c = (struct corner_columns){.lanes = lanes, .vectors = (rows->nx + lanes - 1) / lanes};
    struct builder b = {.out = c, .slot_count = 64};
    while (b.slot_count < 2 * rows->count)
        b.slot_count *= 2;
    b.patterns = malloc(c->vectors * lanes);
    b.lanes = malloc(c->vectors * sizeof *b.lanes);
    b.unmirrored = malloc(c->vectors * lanes * sizeof *b.unmirrored);
    b.slots = calloc(b.slot_count, sizeof *b.slots);
    c->rows = malloc(rows->count * sizeof *c->rows);
    c->odd_start = malloc((2 * rows->count + 1) * sizeof *c->odd_start);
    c->corners = calloc(PATTERN_ALL + 1, sizeof *c->corners);
    int status = b.patterns && b.lanes && b.unmirrored && b.slots && c->rows && c->odd_start && c->corners ? 0 : -1;
    for (unsigned pattern = 1; pattern <= PATTERN_ALL && !status; pattern++) {
        c->corners[pattern] = odd_corner_of(pattern, rows);
        if (corner_mirrors(pattern))
            b.sides[pattern] = (uint8_t)(corner_sides(pattern, 1) | corner_sides(pattern, 2) << 2);
    }
    status = status || scan(&b, rows);
    free(b.patterns);
    free(b.lanes);
    free(b.unmirrored);
    free(b.slots);
    return status ? -1 : 0;
}
