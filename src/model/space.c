#include "model/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/space_rows.h"

enum { ROWS_MAX = 500000 };

struct survey {
    const struct voxels *voxels;
    const struct space_rows *rows;
    size_t *parent; /* [segments]: union-find forest of connected segments */
    bool *reached;  /* [segments]: valid at the root */
    struct space *space;
};

static size_t root_of(const struct survey *s, size_t segment)
{
    while (s->parent[segment] != segment)
        segment = s->parent[segment] = s->parent[s->parent[segment]];
    return segment;
}

static void connect(void *context, const struct space_contact *c)
{
    const struct survey *s = context;
    if (c->owner[0] != OWNER_AIR || c->owner[1] != OWNER_AIR)
        return;
    const size_t roots[2] = {root_of(s, c->segment[0]), root_of(s, c->segment[1])};
    s->parent[roots[0] < roots[1] ? roots[1] : roots[0]] = roots[0] < roots[1] ? roots[0] : roots[1];
}

/* Marks the voxel of air that holds a position. */
static bool reach_within(const struct survey *s, const double position[3])
{
    const struct voxels *v = s->voxels;
    size_t at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = (size_t)fmin(fmax(floor(position[axis] / v->spacing), 0.0), (double)v->count[axis] - 1.0);
    const size_t segment = space_rows_at(s->rows, at);
    const bool is_air = s->rows->segments[segment].owner == OWNER_AIR;
    if (is_air)
        s->reached[root_of(s, segment)] = true;
    return is_air;
}

/* Marks the voxels of air around a position: with the 7-point scheme those that placement_make uses, with the 19-point
 * scheme the one that holds it, and only where that is solid its neighbours. */
static bool reach_from(const struct survey *s, const double position[3])
{
    const struct voxels *v = s->voxels;
    size_t sides[3][2];
    bool any = false;
    if (v->stencil == STENCIL_19_POINT && reach_within(s, position))
        return true;
    for (int axis = 0; axis < 3; axis++) {
        const double last = (double)v->count[axis] - 1.0;
        const double at = fmin(fmax(position[axis] / v->spacing - 0.5, 0.0), last);
        sides[axis][0] = (size_t)floor(at);
        sides[axis][1] = (size_t)fmin(ceil(at), last);
    }
    for (int corner = 0; corner < 8; corner++) {
        const size_t point[3] = {sides[0][corner & 1], sides[1][corner >> 1 & 1], sides[2][corner >> 2 & 1]};
        const size_t segment = space_rows_at(s->rows, point);
        if (s->rows->segments[segment].owner == OWNER_AIR)
            any = s->reached[root_of(s, segment)] = true;
    }
    return any;
}

static void find_reached(const struct survey *s)
{
    const struct room *room = s->voxels->room;
    bool any = false;
    for (size_t i = 0; i < room->source_count; i++)
        any = reach_from(s, room->sources[i].position) || any;
    for (size_t i = 0; i < room->receiver_count && !room->source_count; i++)
        any = reach_from(s, room->receivers[i].position) || any;
    for (size_t i = 0; i < s->rows->segment_count && !any; i++)
        s->reached[i] = true;
}

static bool is_reached(const struct survey *s, size_t segment)
{
    return segment != SPACE_OUTSIDE && s->rows->segments[segment].owner == OWNER_AIR && s->reached[root_of(s, segment)];
}

/* Weight of a face across `axis`, with the air at `air` and the face at `face`, m: the component of the cylinder's
 * surface normal along the axis. */
static double cylinder_weight(const struct object *o, int axis, const double air[3], const double face[3])
{
    double along[2] = {0.0, 0.0}, square = 0.0, from_axis[2][3], distance[2] = {0.0, 0.0};
    const double *at[2] = {air, face};
    for (int i = 0; i < 3; i++)
        square += (o->to[i] - o->from[i]) * (o->to[i] - o->from[i]);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++)
            along[k] += (at[k][i] - o->from[i]) * (o->to[i] - o->from[i]) / square;
        for (int i = 0; i < 3; i++) {
            from_axis[k][i] = at[k][i] - o->from[i] - along[k] * (o->to[i] - o->from[i]);
            distance[k] += from_axis[k][i] * from_axis[k][i];
        }
        distance[k] = sqrt(distance[k]);
    }
    if (distance[0] <= o->radius) /* the air is beyond one of the two ends */
        return fabs(o->to[axis] - o->from[axis]) / sqrt(square);
    return distance[1] > 0.0 ? fabs(from_axis[1][axis]) / distance[1] : 1.0;
}

/* Number of faces, weighted for a cylinder; weights are constant along y and z within a contact. */
static double faces(const struct survey *s, const struct space_contact *c, const struct object *cylinder,
                    bool air_above)
{
    double count = 1.0, weights = 0.0;
    for (int axis = 1; axis < 3; axis++)
        count *= axis == c->axis ? 1.0 : (double)(c->to[axis] - c->from[axis]);
    if (!cylinder)
        return count * (c->axis == 0 ? 1.0 : (double)(c->to[0] - c->from[0]));
    const size_t first = c->axis == 0 ? 0 : c->from[0], end = c->axis == 0 ? 1 : c->to[0];
    for (size_t x = first; x < end; x++) {
        double air[3], face[3];
        for (int axis = 0; axis < 3; axis++) {
            const size_t index = axis == 0 && c->axis != 0 ? x : c->from[axis];
            const double lower = index == SPACE_OUTSIDE ? -0.5 : (double)index + 0.5;
            air[axis] = (lower + (axis == c->axis && air_above ? 1.0 : 0.0)) * s->voxels->spacing;
            face[axis] = (lower + (axis == c->axis ? 0.5 : 0.0)) * s->voxels->spacing;
        }
        weights += cylinder_weight(cylinder, c->axis, air, face);
    }
    return count * weights;
}

static void measure(void *context, const struct space_contact *c)
{
    const struct survey *s = context;
    const struct room *room = s->voxels->room;
    const bool reached[2] = {is_reached(s, c->segment[0]), is_reached(s, c->segment[1])};
    if (reached[0] == reached[1])
        return;
    const uint32_t owner = c->owner[reached[0] ? 1 : 0];
    if (owner == OWNER_AIR)
        return;
    const struct object *object = owner >= OWNER_OBJECT ? &room->objects[owner - OWNER_OBJECT] : NULL;
    const size_t material = object ? object->material : room->walls[owner - OWNER_WALL];
    const bool cylinder = object && object->shape == SHAPE_CYLINDER;
    s->space->area[material] +=
        faces(s, c, cylinder ? object : NULL, reached[1]) * s->voxels->spacing * s->voxels->spacing;
}

static void measure_air(const struct survey *s)
{
    const struct space_rows *r = s->rows;
    const double cell = s->voxels->spacing * s->voxels->spacing * s->voxels->spacing;
    for (size_t k = 0, z = 0; k < r->slab_count; z = r->slabs[k++].end)
        for (size_t i = 0, y = 0; i < r->slabs[k].count; i++) {
            const struct space_band *band = &r->bands[r->slabs[k].first + i];
            const double rows = (double)(r->slabs[k].end - z) * (double)(band->end - y);
            for (size_t n = 0, x = 0; n < band->count; n++) {
                const size_t segment = band->first + n, end = r->segments[segment].end;
                const double volume = rows * (double)(end - x) * cell;
                if (is_reached(s, segment))
                    s->space->volume += volume;
                else if (r->segments[segment].owner == OWNER_AIR)
                    s->space->closed_off += volume;
                x = end;
            }
            y = band->end;
        }
}

static int survey(struct space *space, const struct voxels *v, const struct space_rows *rows, struct error *e)
{
    struct survey s = {v, rows, malloc(rows->segment_count * sizeof *s.parent),
                       calloc(rows->segment_count, sizeof *s.reached), space};
    const int status = s.parent && s.reached ? 0 : fail(e, ERROR_MEMORY, "out of memory for the map of the room");
    for (size_t i = 0; i < rows->segment_count && !status; i++)
        s.parent[i] = i;
    if (!status) {
        space_rows_contacts(rows, v->count, connect, &s);
        find_reached(&s);
        space_rows_contacts(rows, v->count, measure, &s);
        measure_air(&s);
        for (size_t i = 0; i < rows->segment_count; i++)
            space->parts += root_of(&s, i) == i && is_reached(&s, i);
        for (size_t i = 0; i < v->room->material_count; i++)
            space->surface += space->area[i];
    }
    free(s.parent);
    free(s.reached);
    return status;
}

int space_make(struct space *s, const struct voxels *v, struct error *e)
{
    struct voxels map = *v;
    struct space_rows rows;
    int status;
    *s = (struct space){.area = calloc(v->room->material_count + 1, sizeof *s->area)};
    if (!s->area)
        return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
    while ((status = space_rows_make(&rows, &map, ROWS_MAX, e)) > 0) {
        map.spacing *= 2.0;
        map.closed_count = 0; /* single voxels of the finer map */
        for (int axis = 0; axis < 3; axis++)
            map.count[axis] = (map.count[axis] + 1) / 2;
    }
    status = status || survey(s, &map, &rows, e);
    space_rows_free(&rows);
    if (status)
        space_free(s);
    return status ? -1 : 0;
}

void space_free(struct space *s)
{
    free(s->area);
    memset(s, 0, sizeof *s);
}
