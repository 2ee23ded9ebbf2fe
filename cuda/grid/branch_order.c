/* SPDX-License-Identifier: MIT */
#include "cuda/grid/branch_order.h"

/* The first segment of the rows from `row`. */
static uint64_t first_segment(const struct rows *rows, size_t row)
{
    return rows->branches.segment_start[row];
}

uint64_t branch_order_count(const struct rows *rows, size_t z0, size_t nz)
{
    const struct branches *b = &rows->branches;
    uint64_t values = 0;
    for (uint64_t i = first_segment(rows, z0 * rows->ny); i < first_segment(rows, (z0 + nz) * rows->ny); i++)
        values += 2 * (uint64_t)b->kinds[b->segments[i].kind].count * b->segments[i].length;
    return values;
}

/* The first entry from `from` that is not before `at`. */
static size_t find_place(const struct branch_place *places, size_t from, size_t end, uint64_t at)
{
    while (from < end) {
        const size_t middle = from + (end - from) / 2;
        if (places[middle].at < at)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* Lists the states of the points of a segment, whose first point is at index `at` of the grid. */
static int list_segment(uint64_t *list, const struct branch_segment *s, uint32_t branches, uint64_t at,
                        const struct branch_place *places, size_t place_count, size_t pitch, size_t apart)
{
    size_t found = find_place(places, 0, place_count, at);
    for (size_t k = 0; k < s->length; k++) {
        const uint64_t point = at + k * (s->along_y ? pitch : 1);
        if (s->along_y)
            found = find_place(places, found, place_count, point);
        if (found == place_count || places[found].at != point || places[found].kind != s->kind)
            return -1;
        for (uint32_t branch = 0; branch < branches; branch++)
            for (size_t v_or_g = 0; v_or_g < 2; v_or_g++)
                list[(2 * branch + v_or_g) * s->length + k] = 2 * (places[found].first_state + branch * apart) + v_or_g;
        found++; /* the next point along x is the next entry */
    }
    return 0;
}

int branch_order_list(uint64_t *list, const struct rows *rows, size_t z0, size_t nz, const struct branch_place *places,
                      size_t place_count, size_t pitch, size_t apart)
{
    const struct branches *b = &rows->branches;
    for (size_t z = z0; z < z0 + nz; z++) {
        const uint64_t plane = (uint64_t)pitch * rows->ny;
        const size_t from = find_place(places, 0, place_count, z * plane);
        const size_t end = find_place(places, from, place_count, (z + 1) * plane);
        for (size_t row = z * rows->ny; row < (z + 1) * rows->ny; row++)
            for (uint64_t i = first_segment(rows, row); i < first_segment(rows, row + 1); i++) {
                const struct branch_segment *s = &b->segments[i];
                const uint32_t branches = b->kinds[s->kind].count;
                if (list_segment(list, s, branches, row * pitch + s->x, places + from, end - from, pitch, apart))
                    return -1;
                list += 2 * (uint64_t)branches * s->length;
            }
    }
    return 0;
}
