#include "model/closing.h"

#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

/* A pattern has bit dx + 2 dy + 4 dz for the voxel on the side (dx, dy, dz) of a point, 0: lower, 1: upper. */
enum { SIDES = 8, PATTERNS = 256, PLANES = 4 /* two on either side of a plane of points */ };

/* A voxel to close, because of one point. */
struct mark {
    uint64_t voxel, solid; /* solid: index of the voxel it becomes like */
    uint32_t object;
};

struct marks {
    struct mark *at;
    size_t count, room;
};

/* Points to judge: from[] <= (x, y, z) <= to[]. */
struct region {
    size_t from[3], to[3];
};

struct scan {
    const struct voxels *voxels;
    bool several[PATTERNS];        /* more than one group */
    uint8_t *planes[PLANES];       /* [ny][nx]: plane z at z % PLANES */
    bool *rows_with_solid[PLANES]; /* [ny] */
    size_t held[PLANES];           /* the plane in each; SIZE_MAX: none */
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

static int by_voxel(const void *a, const void *b)
{
    const struct mark *left = a, *right = b;
    if (left->voxel != right->voxel)
        return left->voxel < right->voxel ? -1 : 1;
    return (left->solid > right->solid) - (left->solid < right->solid);
}

static int add_mark(struct marks *m, const struct mark *mark, struct error *e)
{
    if (m->count == m->room) {
        const size_t room = m->room ? 2 * m->room : 256;
        struct mark *more = realloc(m->at, room * sizeof *more);
        if (!more)
            return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
        m->at = more;
        m->room = room;
    }
    m->at[m->count++] = *mark;
    return 0;
}

/* ---- the map around a point */

/* The voxel on a side of a point; false: outside the box. */
static bool voxel_at(size_t at[3], const struct voxels *v, const size_t point[3], int side)
{
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = point[axis] + (size_t)(side >> axis & 1) - 1; /* wraps below 0, and is refused */
        if (at[axis] >= v->count[axis])
            return false;
    }
    return true;
}

static bool is_air(const struct scan *s, const size_t at[3])
{
    const size_t *n = s->voxels->count;
    return at[0] < n[0] && at[1] < n[1] && at[2] < n[2] && s->planes[at[2] % PLANES][at[1] * n[0] + at[0]] == CELL_AIR;
}

struct group {
    unsigned pattern;
    int voxels, faces; /* faces: of its voxels, that lead to air */
    uint64_t greatest; /* index of a voxel */
};

static struct group measure(const struct scan *s, const size_t point[3], unsigned pattern)
{
    struct group g = {.pattern = pattern};
    for (int side = 0; side < SIDES; side++) {
        size_t at[3];
        if (!(pattern >> side & 1) || !voxel_at(at, s->voxels, point, side))
            continue;
        const uint64_t index = voxels_index(s->voxels, at);
        g.voxels++;
        g.greatest = index > g.greatest ? index : g.greatest;
        for (int face = 0; face < FACES; face++) {
            size_t beyond[3] = {at[0], at[1], at[2]};
            beyond[face / 2] += (size_t)(face % 2) * 2 - 1;
            g.faces += is_air(s, beyond);
        }
    }
    return g;
}

static bool is_greater(const struct group *a, const struct group *b)
{
    if (a->voxels != b->voxels)
        return a->voxels > b->voxels;
    return a->faces != b->faces ? a->faces > b->faces : a->greatest > b->greatest;
}

static int close_group(struct scan *s, const size_t point[3], const struct group *g, struct error *e)
{
    const struct voxels *v = s->voxels;
    for (int side = 0; side < SIDES; side++) {
        size_t at[3];
        if (!(g->pattern >> side & 1) || !voxel_at(at, v, point, side))
            continue;
        struct mark mark = {.voxel = voxels_index(v, at), .solid = UINT64_MAX};
        for (int axis = 0; axis < 3; axis++) {
            size_t beside[3];
            if (!voxel_at(beside, v, point, side ^ 1 << axis) || is_air(s, beside))
                continue;
            const uint64_t index = voxels_index(v, beside);
            if (index < mark.solid) {
                mark.solid = index;
                mark.object = (uint32_t)voxels_object_at(v, beside);
            }
        }
        if (add_mark(&s->marks, &mark, e))
            return -1;
    }
    return 0;
}

/* Marks all groups but the greatest. */
static int judge(struct scan *s, const size_t point[3], unsigned pattern, struct error *e)
{
    struct group groups[SIDES];
    int count = 0, kept = 0;
    for (unsigned left = pattern; left; left &= ~groups[count++].pattern)
        groups[count] = measure(s, point, group_of(pattern, lowest_side(left)));
    for (int i = 1; i < count; i++)
        kept = is_greater(&groups[i], &groups[kept]) ? i : kept;
    for (int i = 0; i < count; i++)
        if (i != kept && close_group(s, point, &groups[i], e))
            return -1;
    return 0;
}

/* ---- all points of a region */

static void load_plane(struct scan *s, size_t z)
{
    const size_t *n = s->voxels->count;
    uint8_t *plane = s->planes[z % PLANES];
    voxels_cells(s->voxels, z, 1, plane);
    for (size_t y = 0; y < n[1]; y++) {
        uint8_t any = 0;
        for (size_t x = 0; x < n[0]; x++)
            any |= (uint8_t)(plane[y * n[0] + x] ^ CELL_AIR);
        s->rows_with_solid[z % PLANES][y] = any != 0;
    }
    s->held[z % PLANES] = z;
}

/* The planes beside a plane of points, and one further on either side. */
static void load_planes(struct scan *s, size_t z)
{
    for (size_t plane = z > 2 ? z - 2 : 0; plane < s->voxels->count[2] && plane <= z + 1; plane++)
        if (s->held[plane % PLANES] != plane)
            load_plane(s, plane);
}

/* Whether an object may cover other voxels of a plane than of the one below. */
static bool changes_at(const struct voxels *v, const struct object *o, size_t z)
{
    size_t range[3][2];
    voxels_object_bounds(v, o, range);
    const size_t low = range[2][0], high = range[2][1], margin = o->shape == SHAPE_CYLINDER;
    const bool upright = o->shape == SHAPE_BOX || (o->from[0] == o->to[0] && o->from[1] == o->to[1]);
    /* a cylinder ends within a voxel of its bounds */
    return z >= low && z <= high && (!upright || z <= low + margin || z + margin >= high);
}

/* Whether a plane of voxels may differ from the one below. */
static bool differs(const struct voxels *v, size_t z)
{
    const uint64_t plane = (uint64_t)v->count[0] * v->count[1];
    const size_t closed = voxels_closed_from(v, (z - 1) * plane);
    if (closed < v->closed_count && v->closed[closed].voxel < (z + 1) * plane)
        return true;
    for (size_t i = 0; i < v->room->object_count; i++)
        if (changes_at(v, &v->room->objects[i], z))
            return true;
    return false;
}

/* Whether a plane of points has the patterns of the one below. */
static bool repeats(const struct voxels *v, size_t z)
{
    return z >= 2 && z < v->count[2] && !differs(v, z) && !differs(v, z - 1);
}

/* The row of cells on a side (dy, dz) of a row of points; NULL: outside the box. */
static const uint8_t *row_beside(const struct scan *s, size_t y, size_t z, int side, bool *solid)
{
    const size_t *n = s->voxels->count;
    const size_t row = y + (size_t)(side & 1) - 1, plane = z + (size_t)(side >> 1) - 1; /* wrap below 0 */
    if (row >= n[1] || plane >= n[2])
        return NULL;
    *solid = *solid || s->rows_with_solid[plane % PLANES][row];
    return s->planes[plane % PLANES] + row * n[0];
}

static int judge_row(struct scan *s, const struct region *r, size_t y, size_t z, struct error *e)
{
    const size_t nx = s->voxels->count[0];
    const uint8_t *rows[4];
    bool solid = false;
    unsigned lower = 0;
    for (int side = 0; side < 4; side++)
        rows[side] = row_beside(s, y, z, side, &solid);
    if (!solid)
        return 0;
    for (size_t x = r->from[0] ? r->from[0] - 1 : 0; x <= r->to[0]; x++) {
        unsigned upper = 0;
        for (int side = 0; side < 4 && x < nx; side++)
            upper |= (unsigned)(rows[side] && rows[side][x] == CELL_AIR) << 2 * side;
        const unsigned pattern = lower | upper << 1;
        const size_t point[3] = {x, y, z};
        if (s->several[pattern] && x >= r->from[0] && judge(s, point, pattern, e))
            return -1;
        lower = upper;
    }
    return 0;
}

static int judge_region(struct scan *s, const struct region *r, struct error *e)
{
    bool clean = false; /* nothing was marked at the plane of points below */
    for (int i = 0; i < PLANES; i++)
        s->held[i] = SIZE_MAX;
    s->marks.count = 0;
    for (size_t z = r->from[2]; z <= r->to[2]; z++) {
        const size_t before = s->marks.count;
        if (stop_check(e))
            return -1;
        if (clean && repeats(s->voxels, z))
            continue;
        load_planes(s, z);
        for (size_t y = r->from[1]; y <= r->to[1]; y++)
            if (judge_row(s, r, y, z, e))
                return -1;
        clean = s->marks.count == before;
    }
    return 0;
}

/* ---- rounds */

static void include(struct region *r, const size_t from[3], const size_t to[3])
{
    for (int axis = 0; axis < 3; axis++) {
        r->from[axis] = from[axis] < r->from[axis] ? from[axis] : r->from[axis];
        r->to[axis] = to[axis] > r->to[axis] ? to[axis] : r->to[axis];
    }
}

static const struct region nothing = {.from = {SIZE_MAX, SIZE_MAX, SIZE_MAX}};

/* Points at objects. */
static struct region first_region(const struct voxels *v)
{
    struct region r = nothing;
    for (size_t i = 0; i < v->room->object_count; i++) {
        size_t range[3][2];
        voxels_object_bounds(v, &v->room->objects[i], range);
        const size_t from[3] = {range[0][0], range[1][0], range[2][0]}, to[3] = {range[0][1], range[1][1], range[2][1]};
        if (from[0] < to[0] && from[1] < to[1] && from[2] < to[2])
            include(&r, from, to);
    }
    return r;
}

static int by_index(const void *a, const void *b)
{
    const struct closed_voxel *left = a, *right = b;
    return (left->voxel > right->voxel) - (left->voxel < right->voxel);
}

/* Closes what is marked; *next: the points at these voxels. */
static int close_marked(struct voxels *v, struct closed_voxel **closed, struct marks *m, struct region *next,
                        struct error *e)
{
    struct closed_voxel *more = realloc(*closed, (v->closed_count + m->count) * sizeof *more);
    if (!more)
        return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
    *closed = more;
    *next = nothing;
    qsort(m->at, m->count, sizeof *m->at, by_voxel);
    for (size_t i = 0; i < m->count; i++) {
        if (i && m->at[i].voxel == m->at[i - 1].voxel)
            continue;
        const size_t row = (size_t)(m->at[i].voxel / v->count[0]), x = (size_t)(m->at[i].voxel % v->count[0]);
        const size_t at[3] = {x, row % v->count[1], row / v->count[1]};
        more[v->closed_count++] = (struct closed_voxel){m->at[i].voxel, m->at[i].object};
        include(next, at, (const size_t[3]){at[0] + 1, at[1] + 1, at[2] + 1});
    }
    qsort(more, v->closed_count, sizeof *more, by_index);
    v->closed = more;
    return 0;
}

static int open_scan(struct scan *s, const struct voxels *v, struct error *e)
{
    *s = (struct scan){.voxels = v};
    find_several(s->several);
    for (int i = 0; i < PLANES; i++) {
        s->planes[i] = malloc(v->count[0] * v->count[1]);
        s->rows_with_solid[i] = malloc(v->count[1] * sizeof *s->rows_with_solid[i]);
        if (!s->planes[i] || !s->rows_with_solid[i])
            return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
    }
    return 0;
}

static void close_scan(struct scan *s)
{
    for (int i = 0; i < PLANES; i++) {
        free(s->planes[i]);
        free(s->rows_with_solid[i]);
    }
    free(s->marks.at);
}

/* More than can be stepped; to look through them would take minutes. */
static bool is_too_large(const struct voxels *v)
{
    return (double)v->count[0] * (double)v->count[1] * (double)v->count[2] > 3e10;
}

int voxels_close(struct voxels *v, struct closed_voxel **closed, struct error *e)
{
    struct region region = first_region(v);
    struct scan scan;
    *closed = NULL;
    if (v->stencil != STENCIL_19_POINT || region.from[0] == SIZE_MAX || is_too_large(v))
        return 0;
    int status = open_scan(&scan, v, e);
    while (!status) {
        status = judge_region(&scan, &region, e);
        if (status || !scan.marks.count)
            break;
        status = close_marked(v, closed, &scan.marks, &region, e);
    }
    close_scan(&scan);
    if (status) {
        free(*closed);
        *closed = NULL;
        v->closed = NULL;
        v->closed_count = 0;
    }
    return status ? -1 : 0;
}
