/* SPDX-License-Identifier: MIT */
#include "geometry/thin_solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

struct found {
    size_t row;
    crossing at;
};

/* Of links along an axis. */
struct list {
    struct found *at;
    size_t count, capacity;
};

struct search {
    struct room_cuts *room;
    const struct surface_solid *solid;
    element element;
    int axis;
    struct list *to;
};

static int add(struct list *l, size_t row, crossing at)
{
    if (l->count == l->capacity) {
        const size_t capacity = 2 * l->capacity + 256;
        struct found *more = realloc(l->at, capacity * sizeof *more);
        if (!more)
            return -1;
        l->at = more;
        l->capacity = capacity;
    }
    l->at[l->count++] = (struct found){row, at};
    return 0;
}

/* A solid between the centres of two neighbouring voxels; from, to: in voxels of the whole lattice, along the line
 * through the voxel `line`. */
static int add_cut(const struct search *s, const size_t line[3], double from, double to)
{
    const struct lattice_planes *planes = &s->room->planes;
    const double link = floor(0.5 * (from + to));
    const double last = (double)(s->axis == 2 ? planes->all : s->room->count[s->axis]) - 2.0;
    size_t lower[3] = {line[0], line[1], line[2]};
    if (!(link >= 0.0 && link <= last))
        return 0;
    lower[s->axis] = (size_t)link;
    if (s->axis == 2 && (lower[2] < planes->from || lower[2] >= planes->end))
        return 0;
    lower[2] -= s->axis == 2 ? planes->from : 0;
    for (int end = 0; end < 2; end++) {
        const double part = fmin(fmax((end ? to : from) - link, 0.0), 1.0);
        const uint32_t place = part < 1.0 ? (uint32_t)(part * 65536.0) : 65535;
        if (add(s->to, lower[1] + s->room->count[1] * lower[2], crossing_make(lower[0], place, s->element, false)))
            return -1;
    }
    return 0;
}

static bool holds_any(const struct search *s, const size_t line[3], double from, double to)
{
    const double slack = 1e-6;
    for (double i = ceil(from - slack); i <= to + slack; i += 1.0) {
        double at[3];
        cuts_place(at, s->room, line);
        at[s->axis] =
            s->room->lattice->origin[s->axis] + (i - (double)s->room->shift + 0.5) * s->room->lattice->spacing;
        if (solid_holds(s->solid, at))
            return true;
    }
    return false;
}

static int search_line(const struct search *s, const size_t line[3])
{
    const double spacing = s->room->lattice->spacing;
    double start[3], direction[3] = {0.0, 0.0, 0.0};
    direction[s->axis] = 1.0;
    cuts_place(start, s->room, line);
    if (s->axis == 2) /* from the lattice's end on, whichever planes are here: rounding is the same */
        start[2] = s->room->lattice->origin[2] + (0.5 - (double)s->room->shift) * spacing;
    const struct chord *chords = s->room->solids.chords;
    const size_t count = solid_chords(s->room->solids.chords, s->solid, start, direction);
    for (size_t i = 0; i < count; i++) {
        const double from = chords[i].from / spacing, to = chords[i].to / spacing;
        if (to > from && !(to - from > 1.001) && !holds_any(s, line, from, to) && add_cut(s, line, from, to))
            return -1;
    }
    return 0;
}

/* An axis-parallel box: all lines through it are alike. */
static int search_box(const struct search *s, size_t range[3][2])
{
    const struct lattice *l = s->room->lattice;
    const int axis = s->axis, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    double ends[2];
    for (int k = 0; k < 2; k++)
        ends[k] = ((k ? s->solid->to : s->solid->from)[axis] - l->origin[axis]) / l->spacing - 0.5;
    if (!(ends[0] < ends[1]) || ceil(ends[0]) < ceil(ends[1]))
        return 0;
    size_t line[3] = {0, 0, 0};
    for (line[c] = range[c][0]; line[c] < range[c][1]; line[c]++)
        for (line[b] = range[b][0]; line[b] < range[b][1]; line[b]++)
            if (add_cut(s, line, ends[0] + (double)s->room->shift, ends[1] + (double)s->room->shift))
                return -1;
    return 0;
}

static int search_solid(struct search *s)
{
    size_t range[3][2], line[3] = {0, 0, 0};
    const int axis = s->axis, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    for (int k = 0; k < 3; k++)
        solid_range(range[k], &s->room->solids, s->solid, k);
    if (s->solid->shape == SOLID_BOX)
        return search_box(s, range);
    for (line[c] = range[c][0]; line[c] < range[c][1] && !stop_requested(); line[c]++)
        for (line[b] = range[b][0]; line[b] < range[b][1]; line[b]++)
            if (search_line(s, line))
                return -1;
    return 0;
}

/* ---- into the crossings of triangles */

static int by_value(const void *a, const void *b)
{
    const crossing left = *(const crossing *)a, right = *(const crossing *)b;
    return (left > right) - (left < right);
}

static int by_row(const void *a, const void *b)
{
    const struct found *left = a, *right = b;
    return left->row != right->row ? (left->row > right->row) - (left->row < right->row)
                                   : by_value(&left->at, &right->at);
}

/* Rows of crossings with those of the list, which is sorted here. */
static int merge(struct room_cuts *r, int axis, struct list *l, struct error *e)
{
    uint32_t *start = r->crossings.start[axis];
    const size_t rows = r->count[1] * r->count[2], total = start[rows] + l->count;
    crossing *all = total < UINT32_MAX ? malloc((total + 1) * sizeof *all) : NULL;
    size_t next = 0, made = 0;
    if (!all)
        return fail(e, ERROR_MEMORY, "out of memory");
    qsort(l->at, l->count, sizeof *l->at, by_row);
    for (size_t row = 0, first = 0; row < rows; row++) {
        const size_t end = start[row + 1], begin = made;
        memcpy(all + made, r->crossings.at[axis] + first, (end - first) * sizeof *all);
        made += end - first;
        const size_t own = made;
        for (; next < l->count && l->at[next].row == row; next++)
            all[made++] = l->at[next].at;
        if (own > begin && made > own)
            qsort(all + begin, made - begin, sizeof *all, by_value);
        first = end;
        start[row + 1] = (uint32_t)made;
    }
    free(r->crossings.at[axis]);
    r->crossings.at[axis] = all;
    return 0;
}

/* ---- crossings beside covered voxels */

static bool is_covered(const struct room_cuts *r, const size_t at[3])
{
    return cuts_is_wall(r, at) || solid_at(&r->solids, at) < r->surface->solid_count;
}

static bool is_open(const struct room_cuts *r, const size_t at[3], int side)
{
    size_t count;
    cuts_on_link(&count, r, at, side);
    return count == 0;
}

/* Whether the solid covers an end of the link beside one, and nothing touches the way around on the other side. */
static bool is_around(const struct room_cuts *r, const size_t lower[3], const size_t upper[3], int axis, int side,
                      size_t solid)
{
    size_t inner[2][3], outer[2][3];
    if (!cuts_beside(inner[0], r, lower, side) || !cuts_beside(inner[1], r, upper, side) ||
        !cuts_beside(outer[0], r, lower, side ^ 1) || !cuts_beside(outer[1], r, upper, side ^ 1))
        return false;
    return (solid_covers(&r->solids, solid, inner[0]) || solid_covers(&r->solids, solid, inner[1])) &&
           !is_covered(r, outer[0]) && !is_covered(r, outer[1]) && is_open(r, outer[0], 2 * axis + 1) &&
           is_open(r, lower, side ^ 1) && is_open(r, upper, side ^ 1);
}

static bool is_border(const struct room_cuts *r, int axis, const size_t lower[3], size_t solid)
{
    size_t upper[3];
    if (!cuts_beside(upper, r, lower, 2 * axis + 1))
        return false;
    for (int side = 0; side < FACES; side++)
        if (side / 2 != axis && is_around(r, lower, upper, axis, side, solid))
            return true;
    return false;
}

/* drop[axis][i]: of each crossing; all are judged before any is dropped. */
static void judge(const struct room_cuts *r, int axis, bool *drop)
{
#pragma omp parallel for schedule(dynamic, 8) num_threads(r->threads)
    for (size_t z = 0; z < r->count[2]; z++)
        for (size_t y = 0; y < r->count[1]; y++) {
            const size_t row = y + r->count[1] * z;
            for (uint32_t i = r->crossings.start[axis][row]; i < r->crossings.start[axis][row + 1]; i++) {
                const crossing c = r->crossings.at[axis][i];
                const size_t lower[3] = {crossing_x(c), y, z};
                if (crossing_element(c) >= r->snapped.count)
                    drop[i] = is_border(r, axis, lower, crossing_element(c) - r->snapped.count);
            }
        }
}

static void drop_marked(struct room_cuts *r, int axis, const bool *drop)
{
    uint32_t *start = r->crossings.start[axis], kept = 0, first = 0;
    crossing *all = r->crossings.at[axis];
    for (size_t row = 0; row < r->count[1] * r->count[2]; row++) {
        const uint32_t end = start[row + 1];
        for (uint32_t i = first; i < end; i++)
            if (!drop[i])
                all[kept++] = all[i];
        first = end;
        start[row + 1] = kept;
    }
}

static int drop_borders(struct room_cuts *r, struct error *e)
{
    const size_t rows = r->count[1] * r->count[2];
    bool *drop[3];
    bool good = true;
    for (int axis = 0; axis < 3; axis++) {
        drop[axis] = calloc((size_t)r->crossings.start[axis][rows] + 1, sizeof *drop[axis]);
        good = good && drop[axis];
    }
    for (int axis = 0; axis < 3 && good; axis++)
        judge(r, axis, drop[axis]);
    for (int axis = 0; axis < 3; axis++) {
        if (good)
            drop_marked(r, axis, drop[axis]);
        free(drop[axis]);
    }
    return good ? stop_check(e) : fail(e, ERROR_MEMORY, "out of memory");
}

static int find_along(struct room_cuts *r, int axis, size_t *found, struct error *e)
{
    struct list list = {.at = NULL};
    int status = 0;
    for (size_t i = 0; i < r->surface->solid_count && !status && !stop_requested(); i++)
        status = search_solid(&(struct search){.room = r,
                                               .solid = &r->surface->solids[i],
                                               .element = (element)(r->snapped.count + i),
                                               .axis = axis,
                                               .to = &list});
    if (status)
        fail(e, ERROR_MEMORY, "out of memory");
    else if (!(status = stop_check(e)) && list.count)
        status = merge(r, axis, &list, e);
    *found += list.count;
    free(list.at);
    return status;
}

int thin_solids_cut(struct room_cuts *r, struct error *e)
{
    size_t found = 0;
    int status = 0;
    if (!r->surface->solid_count)
        return 0;
    if (r->snapped.count + r->surface->solid_count > SURFACE_TRIANGLES_MAX)
        return fail(e, ERROR_INPUT, "%zu triangles and %zu objects exceed the maximum of %d; simplify the room",
                    r->snapped.count, r->surface->solid_count, SURFACE_TRIANGLES_MAX);
    for (int axis = 0; axis < 3 && !status; axis++)
        status = find_along(r, axis, &found, e);
    return status || !found ? status : drop_borders(r, e);
}
