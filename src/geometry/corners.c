/* SPDX-License-Identifier: MIT */
#include "geometry/corners.h"

#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/transport/gather.h"

/* A pattern has bit dx + 2 dy + 4 dz for the voxel on the side (dx, dy, dz) of a point, 0: lower, 1: upper. */
enum { SIDES = 8, PATTERNS = 256 };

/* A voxel to close, because of one point. */
struct mark {
    uint64_t voxel, solid; /* solid: index of the voxel it becomes like */
    int side;              /* where that is */
};

struct marks {
    struct mark *at;
    size_t count, capacity;
};

struct judge {
    const struct room_cuts *room;
    bool several[PATTERNS]; /* more than one group */
    struct marks marks;
};

/* The voxels of a pattern that are joined with one of them through faces, as a pattern. */
static unsigned group_of(unsigned pattern, int side)
{
    unsigned group = 1u << side, before;
    do {
        before = group;
        for (int i = 0; i < SIDES; i++)
            for (int axis = 0; axis < 3 && group >> i & 1; axis++)
                group |= pattern & 1u << (i ^ 1 << axis);
    } while (group != before);
    return group;
}

static int lowest_side(unsigned pattern)
{
    int side = 0;
    while (!(pattern >> side & 1))
        side++;
    return side;
}

static void find_several(bool several[PATTERNS])
{
    several[0] = false;
    for (unsigned pattern = 1; pattern < PATTERNS; pattern++)
        several[pattern] = group_of(pattern, lowest_side(pattern)) != pattern;
}

/* The voxel on a side of a point; false: outside the lattice, or in its walls. */
static bool voxel_at(size_t at[3], const struct room_cuts *r, const size_t point[3], int side)
{
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = point[axis] + (size_t)(side >> axis & 1) - 1; /* wraps below 0, and is refused */
        if (at[axis] >= r->count[axis])
            return false;
    }
    return !cuts_is_wall(r, at);
}

struct group {
    unsigned pattern;
    int voxels, faces; /* faces: of its voxels, that lead to air */
    uint64_t greatest; /* index of a voxel */
};

static struct group measure(const struct room_cuts *r, const size_t point[3], unsigned pattern)
{
    struct group g = {.pattern = pattern};
    for (int side = 0; side < SIDES; side++) {
        size_t at[3], beyond[3];
        if (!(pattern >> side & 1) || !voxel_at(at, r, point, side))
            continue;
        const uint64_t index = regions_index(&r->air, at);
        g.voxels++;
        g.greatest = index > g.greatest ? index : g.greatest;
        for (int face = 0; face < FACES; face++)
            g.faces += cuts_beside(beyond, r, at, face) && regions_run_at(&r->air, beyond) != NO_RUN;
    }
    return g;
}

static bool is_greater(const struct group *a, const struct group *b)
{
    if (a->voxels != b->voxels)
        return a->voxels > b->voxels;
    return a->faces != b->faces ? a->faces > b->faces : a->greatest > b->greatest;
}

static int add_mark(struct marks *m, const struct mark *mark, struct error *e)
{
    if (m->count == m->capacity) {
        const size_t capacity = m->capacity ? 2 * m->capacity : 256;
        struct mark *more = realloc(m->at, capacity * sizeof *more);
        if (!more)
            return fail(e, ERROR_MEMORY, "out of memory");
        m->at = more;
        m->capacity = capacity;
    }
    m->at[m->count++] = *mark;
    return 0;
}

static int close_group(struct judge *j, const size_t point[3], const struct group *g, struct error *e)
{
    const struct room_cuts *r = j->room;
    for (int side = 0; side < SIDES; side++) {
        size_t at[3], beside[3];
        if (!(g->pattern >> side & 1) || !voxel_at(at, r, point, side))
            continue;
        if (!cuts_is_own(r, at[2])) /* its slab judges the same point */
            continue;
        struct mark mark = {.voxel = regions_index(&r->air, at), .solid = UINT64_MAX};
        for (int axis = 0; axis < 3; axis++) {
            if (!voxel_at(beside, r, point, side ^ 1 << axis) || regions_run_at(&r->air, beside) != NO_RUN)
                continue;
            const uint64_t index = regions_index(&r->air, beside);
            if (index < mark.solid) {
                mark.solid = index;
                mark.side = 2 * axis + !(side >> axis & 1);
            }
        }
        if (add_mark(&j->marks, &mark, e))
            return -1;
    }
    return 0;
}

/* Marks all groups but the greatest. */
static int judge_point(struct judge *j, const size_t point[3], unsigned pattern, struct error *e)
{
    struct group groups[SIDES];
    int count = 0, kept = 0;
    for (unsigned left = pattern; left; left &= ~groups[count++].pattern)
        groups[count] = measure(j->room, point, group_of(pattern, lowest_side(left)));
    for (int i = 1; i < count; i++)
        kept = is_greater(&groups[i], &groups[kept]) ? i : kept;
    for (int i = 0; i < count; i++)
        if (i != kept && close_group(j, point, &groups[i], e))
            return -1;
    return 0;
}

/* The four rows of voxels around a row of points, walked along x together. */
struct walk {
    const struct air_run *run[4], *end[4]; /* on the sides (dy, dz), dy + 2 dz */
};

/* The rows' air at x, bit 2 (dy + 2 dz) for each; *until: the first x from which on it may change. */
static unsigned column_at(struct walk *w, size_t x, size_t *until)
{
    unsigned column = 0;
    *until = SIZE_MAX;
    for (int i = 0; i < 4; i++) {
        while (w->run[i] < w->end[i] && w->run[i]->end <= x)
            w->run[i]++;
        if (w->run[i] == w->end[i])
            continue;
        const bool inside = w->run[i]->start <= x;
        const size_t change = inside ? w->run[i]->end : w->run[i]->start;
        column |= (unsigned)inside << 2 * i;
        *until = change < *until ? change : *until;
    }
    return column;
}

static int judge_row(struct judge *j, size_t y, size_t z, struct error *e)
{
    const struct room_cuts *r = j->room;
    struct walk walk = {.run = {NULL}};
    unsigned below = 0; /* the column before a point */
    for (int i = 0; i < 4; i++) {
        const size_t row_y = y + (size_t)(i & 1) - 1, row_z = z + (size_t)(i >> 1) - 1; /* wrap below 0 */
        if (row_y >= r->count[1] || row_z >= r->count[2])
            continue;
        const size_t row = row_y + r->count[1] * row_z;
        walk.run[i] = r->air.runs + r->air.start[row];
        walk.end[i] = r->air.runs + r->air.start[row + 1];
    }
    for (size_t x = 0, until; x <= r->count[0]; x = until) {
        const unsigned column = column_at(&walk, x, &until);
        const size_t end = until > r->count[0] ? r->count[0] + 1 : until;
        for (size_t at = x; at < end; at++) {
            const unsigned pattern = below | column << 1;
            if (j->several[pattern] && judge_point(j, (const size_t[3]){at, y, z}, pattern, e))
                return -1;
            below = column;
            if (!j->several[column | column << 1])
                break; /* all further points up to `until` have this pattern */
        }
        until = end;
    }
    return 0;
}

static int by_voxel(const void *a, const void *b)
{
    const struct mark *left = a, *right = b;
    if (left->voxel != right->voxel)
        return left->voxel < right->voxel ? -1 : 1;
    return (left->solid > right->solid) - (left->solid < right->solid);
}

/* *closed: how many. */
static int close_marked(struct room_cuts *r, struct marks *m, uint64_t *closed, struct error *e)
{
    size_t count = 0;
    struct filled_voxel *voxels = malloc((m->count + 1) * sizeof *voxels);
    if (!voxels)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (m->count)
        qsort(m->at, m->count, sizeof *m->at, by_voxel);
    for (size_t i = 0; i < m->count; i++) {
        size_t at[3], cut_count;
        if (count && voxels[count - 1].voxel == m->at[i].voxel)
            continue;
        regions_place(at, &r->air, m->at[i].voxel);
        const crossing *cuts = cuts_on_link(&cut_count, r, at, m->at[i].side);
        voxels[count++] =
            (struct filled_voxel){m->at[i].voxel, cuts_see(r, at, m->at[i].side, cuts, cut_count).element};
    }
    const int status = cuts_fill(r, voxels, &count, e);
    *closed = count;
    free(voxels);
    return status;
}

static int judge_all(struct judge *j, struct error *e)
{
    j->marks.count = 0;
    for (size_t z = j->room->own[0]; z <= j->room->own[1]; z++) {
        if (stop_check(e))
            return -1;
        for (size_t y = 0; y <= j->room->count[1]; y++)
            if (judge_row(j, y, z, e))
                return -1;
    }
    return 0;
}

int corners_close(struct room_cuts *r, uint64_t *count, struct error *e)
{
    struct judge judge = {.room = r};
    uint64_t closed;
    int status = 0;
    find_several(judge.several);
    *count = 0;
    do {
        closed = 0;
        status = judge_all(&judge, e) || close_marked(r, &judge.marks, &closed, e) ? -1 : 0;
        status = gather_agree(r->transport, status, e) || gather_sums(r->transport, &closed, 1, e) ? -1 : 0;
        if (!status && closed)
            status = cuts_refresh(r, e);
        *count += closed;
    } while (!status && closed);
    free(judge.marks.at);
    return status;
}
