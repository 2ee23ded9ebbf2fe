#include "model/space_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

/* ---- where rows and planes change */

struct breaks {
    size_t *at; /* ascending and unique after breaks_sort */
    size_t count, room;
};

static int breaks_add(struct breaks *b, size_t at, struct error *e)
{
    if (b->count == b->room) {
        const size_t room = b->room ? 2 * b->room : 64;
        size_t *more = realloc(b->at, room * sizeof *more);
        if (!more)
            return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
        b->at = more;
        b->room = room;
    }
    b->at[b->count++] = at;
    return 0;
}

static int by_size(const void *a, const void *b)
{
    const size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return (left > right) - (left < right);
}

/* Keeps those within 1 .. points, and `points` itself. */
static int breaks_sort(struct breaks *b, size_t points, struct error *e)
{
    size_t kept = 0;
    if (breaks_add(b, points, e))
        return -1;
    qsort(b->at, b->count, sizeof *b->at, by_size);
    for (size_t i = 0; i < b->count; i++)
        if (b->at[i] > 0 && b->at[i] <= points && (!kept || b->at[i] > b->at[kept - 1]))
            b->at[kept++] = b->at[i];
    b->count = kept;
    return 0;
}

static bool lies_along(const struct object *o, int axis)
{
    for (int i = 0; i < 3; i++)
        if (i != axis && o->from[i] != o->to[i])
            return false;
    return true;
}

/* The planes of closed voxels; with `slab`, its rows of them. */
static int breaks_of_closed(struct breaks *b, const struct voxels *v, const size_t *slab, struct error *e)
{
    const uint64_t row = v->count[0], plane = row * v->count[1];
    size_t last = SIZE_MAX;
    int status = 0;
    for (size_t i = slab ? voxels_closed_from(v, *slab * plane) : 0; i < v->closed_count && !status; i++) {
        const size_t z = (size_t)(v->closed[i].voxel / plane), y = (size_t)(v->closed[i].voxel % plane / row);
        const size_t at = slab ? y : z;
        if (slab && z > *slab)
            break;
        if (at != last)
            status = breaks_add(b, at, e) || breaks_add(b, at + 1, e);
        last = at;
    }
    return status ? -1 : 0;
}

/* The layer of a fixed wall, and where an object begins, changes and ends along an axis. */
static int breaks_of_axis(struct breaks *b, const struct voxels *v, int axis, const size_t *objects, size_t count,
                          struct error *e)
{
    int status = 0;
    b->count = 0;
    if (voxels_wall_is_fixed(v, 2 * axis))
        status = breaks_add(b, 1, e);
    if (!status && voxels_wall_is_fixed(v, 2 * axis + 1))
        status = breaks_add(b, v->count[axis] - 1, e);
    for (size_t i = 0; i < count && !status; i++) {
        const struct object *o = &v->room->objects[objects[i]];
        size_t range[3][2];
        voxels_object_bounds(v, o, range);
        const size_t low = range[axis][0], high = range[axis][1];
        const bool alike = o->shape == SHAPE_BOX || lies_along(o, axis);
        /* along its axis a cylinder ends within a point of its bounds */
        const size_t edges[] = {low, low + 1, high ? high - 1 : 0, high};
        for (size_t k = 0; k < 4 && alike && !status; k++)
            if (o->shape == SHAPE_CYLINDER || k == 0 || k == 3)
                status = breaks_add(b, edges[k], e);
        for (size_t at = low; at <= high && !alike && !status; at++)
            status = breaks_add(b, at, e);
    }
    return status;
}

/* ---- one row */

struct stroke {
    size_t from, to;
    uint32_t owner;
};

/* The result and its temporary lists. */
struct builder {
    struct space_rows *rows;
    const struct voxels *voxels;
    size_t max;
    size_t *active;         /* objects of this slab, in order */
    struct stroke *strokes; /* of this row, later ones on top */
    size_t active_count, stroke_count;
    struct breaks planes, lines, points;
};

static int add_segment(struct space_rows *r, size_t end, uint32_t owner, struct error *e)
{
    struct space_band *band = &r->bands[r->band_count - 1];
    if (band->count && r->segments[r->segment_count - 1].owner == owner) {
        r->segments[r->segment_count - 1].end = end;
        return 0;
    }
    if (r->segment_count == r->segment_room) {
        const size_t room = r->segment_room ? 2 * r->segment_room : 256;
        struct space_segment *more = realloc(r->segments, room * sizeof *more);
        if (!more)
            return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
        r->segments = more;
        r->segment_room = room;
    }
    r->segments[r->segment_count++] = (struct space_segment){end, owner};
    band->count++;
    return 0;
}

static void add_stroke(struct builder *b, size_t from, size_t to, uint32_t owner)
{
    if (from < to)
        b->strokes[b->stroke_count++] = (struct stroke){from, to, owner};
}

/* The strokes of a row, in the order of fill_plane in voxels.c. */
static void draw_row(struct builder *b, size_t y, size_t z)
{
    const struct voxels *v = b->voxels;
    const size_t at[3] = {0, y, z};
    b->stroke_count = 0;
    for (size_t i = 0; i < b->active_count; i++) {
        size_t range[2];
        voxels_object_row(v, &v->room->objects[b->active[i]], y, z, range);
        add_stroke(b, range[0], range[1], (uint32_t)(OWNER_OBJECT + b->active[i]));
    }
    const uint64_t row = voxels_index(v, at);
    for (size_t i = voxels_closed_from(v, row); i < v->closed_count && v->closed[i].voxel < row + v->count[0]; i++) {
        const size_t x = (size_t)(v->closed[i].voxel - row);
        add_stroke(b, x, x + 1, OWNER_OBJECT + v->closed[i].object);
    }
    for (int wall = 2; wall < FACES; wall++)
        if (voxels_wall_is_fixed(v, wall) && at[wall / 2] == (wall % 2 ? v->count[wall / 2] - 1 : 0))
            add_stroke(b, 0, v->count[0], (uint32_t)(OWNER_WALL + wall));
    if (voxels_wall_is_fixed(v, FACE_X_MIN))
        add_stroke(b, 0, 1, OWNER_WALL + FACE_X_MIN);
    if (voxels_wall_is_fixed(v, FACE_X_MAX))
        add_stroke(b, v->count[0] - 1, v->count[0], OWNER_WALL + FACE_X_MAX);
}

static uint32_t topmost(const struct builder *b, size_t x)
{
    for (size_t i = b->stroke_count; i-- > 0;)
        if (x >= b->strokes[i].from && x < b->strokes[i].to)
            return b->strokes[i].owner;
    return OWNER_AIR;
}

static int cut_row(struct builder *b, struct error *e)
{
    b->points.count = 0;
    for (size_t i = 0; i < b->stroke_count; i++)
        if (breaks_add(&b->points, b->strokes[i].from, e) || breaks_add(&b->points, b->strokes[i].to, e))
            return -1;
    if (breaks_sort(&b->points, b->voxels->count[0], e))
        return -1;
    for (size_t i = 0, x = 0; i < b->points.count; x = b->points.at[i++])
        if (add_segment(b->rows, b->points.at[i], topmost(b, x), e))
            return -1;
    return 0;
}

static int add_band(struct space_rows *r, size_t end, struct error *e)
{
    if (r->band_count == r->band_room) {
        const size_t room = r->band_room ? 2 * r->band_room : 64;
        struct space_band *more = realloc(r->bands, room * sizeof *more);
        if (!more)
            return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
        r->bands = more;
        r->band_room = room;
    }
    r->bands[r->band_count++] = (struct space_band){end, r->segment_count, 0};
    return 0;
}

/* ---- slabs */

static int fill_slab(struct builder *b, size_t z, size_t end, struct error *e)
{
    const struct voxels *v = b->voxels;
    struct space_rows *r = b->rows;
    b->active_count = 0;
    for (size_t i = 0; i < v->room->object_count; i++) {
        size_t range[3][2];
        voxels_object_bounds(v, &v->room->objects[i], range);
        if (z >= range[2][0] && z < range[2][1])
            b->active[b->active_count++] = i;
    }
    if (breaks_of_axis(&b->lines, v, 1, b->active, b->active_count, e) || breaks_of_closed(&b->lines, v, &z, e) ||
        breaks_sort(&b->lines, v->count[1], e))
        return -1;
    r->slabs[r->slab_count++] = (struct space_slab){end, r->band_count, b->lines.count};
    if (r->band_count + b->lines.count > b->max)
        return 1;
    for (size_t i = 0, y = 0; i < b->lines.count; y = b->lines.at[i++]) {
        if (add_band(r, b->lines.at[i], e))
            return -1;
        draw_row(b, y, z);
        if (cut_row(b, e))
            return -1;
    }
    return 0;
}

/* Upper bound of the rows that differ because of cylinders. */
static double rows_of_cylinders(const struct voxels *v)
{
    double rows = 0.0;
    for (size_t i = 0; i < v->room->object_count; i++) {
        const struct object *o = &v->room->objects[i];
        size_t range[3][2];
        if (o->shape != SHAPE_CYLINDER || lies_along(o, 1) || lies_along(o, 2))
            continue;
        voxels_object_bounds(v, o, range);
        rows += (double)(range[1][1] - range[1][0]) * (double)(range[2][1] - range[2][0]);
    }
    return rows;
}

static size_t most_closed_in_a_row(const struct voxels *v)
{
    size_t most = 0, count = 0;
    for (size_t i = 0; i < v->closed_count; i++) {
        const bool same = i && v->closed[i].voxel / v->count[0] == v->closed[i - 1].voxel / v->count[0];
        count = same ? count + 1 : 1;
        most = count > most ? count : most;
    }
    return most;
}

static int fill_rows(struct builder *b, struct error *e)
{
    const size_t objects = b->voxels->room->object_count;
    int status = 0;
    if (rows_of_cylinders(b->voxels) > (double)b->max)
        return 1;
    b->active = malloc((objects + 1) * sizeof *b->active);
    b->strokes = malloc((objects + most_closed_in_a_row(b->voxels) + FACES) * sizeof *b->strokes);
    if (!b->active || !b->strokes)
        return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
    for (size_t i = 0; i < objects; i++)
        b->active[i] = i;
    if (breaks_of_axis(&b->planes, b->voxels, 2, b->active, objects, e) ||
        breaks_of_closed(&b->planes, b->voxels, NULL, e) || breaks_sort(&b->planes, b->voxels->count[2], e))
        return -1;
    if (b->planes.count > b->max)
        return 1;
    b->rows->slabs = malloc((b->planes.count + 1) * sizeof *b->rows->slabs);
    if (!b->rows->slabs)
        return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
    for (size_t i = 0, z = 0; i < b->planes.count && !status; z = b->planes.at[i++])
        status = stop_requested() ? fail(e, ERROR_STOPPED, "stopped while looking through the room")
                                  : fill_slab(b, z, b->planes.at[i], e);
    return status;
}

int space_rows_make(struct space_rows *r, const struct voxels *v, size_t max, struct error *e)
{
    struct builder b = {.rows = r, .voxels = v, .max = max};
    memset(r, 0, sizeof *r);
    const int status = fill_rows(&b, e);
    free(b.active);
    free(b.strokes);
    free(b.planes.at);
    free(b.lines.at);
    free(b.points.at);
    if (status)
        space_rows_free(r);
    return status;
}

void space_rows_free(struct space_rows *r)
{
    free(r->segments);
    free(r->bands);
    free(r->slabs);
    memset(r, 0, sizeof *r);
}

size_t space_rows_at(const struct space_rows *r, const size_t point[3])
{
    const struct space_slab *slab = r->slabs;
    while (point[2] >= slab->end)
        slab++;
    const struct space_band *band = r->bands + slab->first;
    while (point[1] >= band->end)
        band++;
    size_t segment = band->first;
    while (point[0] >= r->segments[segment].end)
        segment++;
    return segment;
}

/* ---- contacts */

struct contact_search {
    const struct space_rows *rows;
    const size_t *points;
    void (*visit)(void *context, const struct space_contact *contact);
    void *context;
};

static void visit_contact(const struct contact_search *m, const struct space_contact *c)
{
    if (c->owner[0] != c->owner[1] || (c->owner[0] == OWNER_AIR && c->segment[0] != c->segment[1]))
        m->visit(m->context, c);
}

/* Contacts along x within a row. `c` holds the ranges of y and z. */
static void contacts_along_row(const struct contact_search *m, const struct space_band *band, struct space_contact c)
{
    const struct space_segment *s = m->rows->segments;
    c.axis = 0;
    for (size_t i = 0; i <= band->count; i++) {
        const size_t upper = band->first + i, lower = upper - 1;
        c.segment[0] = i ? lower : SPACE_OUTSIDE;
        c.segment[1] = i < band->count ? upper : SPACE_OUTSIDE;
        c.owner[0] = i ? s[lower].owner : OWNER_WALL + FACE_X_MIN;
        c.owner[1] = i < band->count ? s[upper].owner : OWNER_WALL + FACE_X_MAX;
        c.from[0] = i ? s[lower].end - 1 : SPACE_OUTSIDE;
        c.to[0] = c.from[0] + 1;
        visit_contact(m, &c);
    }
}

/* Contacts of two adjacent rows; NULL: the wall. */
static void contacts_of_rows(const struct contact_search *m, const struct space_band *lower,
                             const struct space_band *upper, struct space_contact c)
{
    const struct space_segment *s = m->rows->segments;
    size_t i = lower ? lower->first : 0, k = upper ? upper->first : 0;
    for (c.from[0] = 0; c.from[0] < m->points[0]; c.from[0] = c.to[0]) {
        const size_t ends[2] = {lower ? s[i].end : m->points[0], upper ? s[k].end : m->points[0]};
        c.to[0] = ends[0] < ends[1] ? ends[0] : ends[1];
        c.segment[0] = lower ? i : SPACE_OUTSIDE;
        c.segment[1] = upper ? k : SPACE_OUTSIDE;
        c.owner[0] = lower ? s[i].owner : (uint32_t)(OWNER_WALL + 2 * c.axis);
        c.owner[1] = upper ? s[k].owner : (uint32_t)(OWNER_WALL + 2 * c.axis + 1);
        visit_contact(m, &c);
        i += lower && c.to[0] == s[i].end;
        k += upper && c.to[0] == s[k].end;
    }
}

static void contacts_in_slab(const struct contact_search *m, const struct space_slab *slab, size_t z)
{
    const struct space_band *bands = m->rows->bands + slab->first;
    struct space_contact c = {.from[2] = z, .to[2] = slab->end};
    for (size_t i = 0, y = 0; i <= slab->count; i++) {
        c.axis = 1;
        c.from[1] = i ? y - 1 : SPACE_OUTSIDE;
        c.to[1] = c.from[1] + 1;
        contacts_of_rows(m, i ? &bands[i - 1] : NULL, i < slab->count ? &bands[i] : NULL, c);
        if (i == slab->count)
            break;
        c.from[1] = y;
        c.to[1] = y = bands[i].end;
        contacts_along_row(m, &bands[i], c);
    }
}

/* Contacts of two adjacent slabs; NULL: the wall. */
static void contacts_of_slabs(const struct contact_search *m, const struct space_slab *lower,
                              const struct space_slab *upper)
{
    const struct space_band *below = lower ? m->rows->bands + lower->first : NULL;
    const struct space_band *above = upper ? m->rows->bands + upper->first : NULL;
    struct space_contact c = {.axis = 2, .from[2] = lower ? lower->end - 1 : SPACE_OUTSIDE};
    c.to[2] = c.from[2] + 1;
    for (c.from[1] = 0; c.from[1] < m->points[1]; c.from[1] = c.to[1]) {
        const size_t ends[2] = {below ? below->end : m->points[1], above ? above->end : m->points[1]};
        c.to[1] = ends[0] < ends[1] ? ends[0] : ends[1];
        contacts_of_rows(m, below, above, c);
        below += below && c.to[1] == below->end;
        above += above && c.to[1] == above->end;
    }
}

void space_rows_contacts(const struct space_rows *r, const size_t points[3],
                         void (*visit)(void *context, const struct space_contact *contact), void *context)
{
    const struct contact_search m = {r, points, visit, context};
    for (size_t i = 0; i <= r->slab_count; i++) {
        contacts_of_slabs(&m, i ? &r->slabs[i - 1] : NULL, i < r->slab_count ? &r->slabs[i] : NULL);
        if (i < r->slab_count)
            contacts_in_slab(&m, &r->slabs[i], i ? r->slabs[i - 1].end : 0);
    }
}
