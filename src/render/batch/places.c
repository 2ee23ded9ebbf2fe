/* SPDX-License-Identifier: MIT */
/* Draws positions of sources and receivers that satisfy the constraints of the plan. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/stop.h"
#include "base/text.h"
#include "geometry/rays/scene.h"
#include "render/batch/draw.h"
#include "room/grid/room_surface.h"

enum { VOTES = 3 }; /* rays that decide whether a position is inside a mesh */

struct places {
    const struct plan *plan;
    const struct room *room;
    struct room_surface surface;
    struct ray_scene scene;
    double (*moved)[3]; /* [sources, then receivers], m: displacement from the position in the room */
};

static void free_places(struct places *p)
{
    ray_scene_free(&p->scene);
    room_surface_free(&p->surface);
    free(p->moved);
}

/* Whether a ray from `at` hits the triangle (Moeller and Trumbore 1997). */
static bool meets(const struct ray_face *face, const double at[3], const double way[3])
{
    double edge[2][3], from[3], across[3], over[3];
    for (int i = 0; i < 3; i++) {
        edge[0][i] = face->corner[1][i] - face->corner[0][i];
        edge[1][i] = face->corner[2][i] - face->corner[0][i];
        from[i] = at[i] - face->corner[0][i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        across[i] = way[j] * edge[1][k] - way[k] * edge[1][j];
        over[i] = from[j] * edge[0][k] - from[k] * edge[0][j];
    }
    double volume = 0.0, u = 0.0, v = 0.0, t = 0.0;
    for (int i = 0; i < 3; i++) {
        volume += edge[0][i] * across[i];
        u += from[i] * across[i];
        v += way[i] * over[i];
        t += edge[1][i] * over[i];
    }
    if (volume == 0.0)
        return false;
    u /= volume;
    v /= volume;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t / volume > 0.0;
}

/* By the parity of the faces that rays hit; the majority of VOTES rays decides, since a ray may
 * pass along an edge. */
static bool is_in_mesh(const struct places *p, const double at[3])
{
    static const double ways[VOTES][3] = {
        {0.6123, 0.5417, 0.5759}, {-0.7071, 0.4359, -0.5567}, {0.2311, -0.8137, 0.5333}};
    int inside = 0;
    for (int v = 0; v < VOTES; v++) {
        size_t met = 0;
        for (size_t i = 0; i < p->scene.count; i++)
            met += p->scene.faces[i].solid == RAY_NO_SOLID && meets(&p->scene.faces[i], at, ways[v]);
        inside += met % 2 == 1;
    }
    return 2 * inside > VOTES;
}

static bool is_free(const struct places *p, const double at[3])
{
    const struct room *room = p->room;
    return room_spans(room, at) && room_object_at(room, at) == room->object_count &&
           ray_scene_distance(&p->scene, at) >= p->plan->from_walls &&
           (room_form(room) != ROOM_MESH || is_in_mesh(p, at));
}

static void move(double at[3], const double from[3], const double by[3])
{
    for (int i = 0; i < 3; i++)
        at[i] = from[i] + by[i];
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Whether all positions of a receiver, several for an array, are free. */
static bool receiver_is_free(const struct places *p, size_t index)
{
    const struct receiver *r = &p->room->receivers[index];
    for (size_t i = 0; i < receiver_place_count(r); i++) {
        double at[3];
        move(at, receiver_place(r, i), p->moved[p->room->source_count + index]);
        if (!is_free(p, at))
            return false;
    }
    return true;
}

/* m: position of source or receiver `index`. */
static void place_of(const struct places *p, size_t index, double at[3])
{
    const size_t sources = p->room->source_count;
    move(at, index < sources ? p->room->sources[index].position : p->room->receivers[index - sources].position,
         p->moved[index]);
}

/* Of a source or receiver, whatever the others do. */
static bool is_free_itself(const struct places *p, size_t index)
{
    const size_t sources = p->room->source_count;
    double at[3];
    place_of(p, index, at);
    return index < sources ? is_free(p, at) : receiver_is_free(p, index - sources);
}

static bool all_are_apart(const struct places *p)
{
    const size_t count = p->room->source_count + p->room->receiver_count;
    for (size_t i = 0; i < count; i++) {
        double at[3], other[3];
        place_of(p, i, at);
        for (size_t k = 0; k < i; k++) {
            place_of(p, k, other);
            if (!(distance(at, other) >= p->plan->from_each_other))
                return false;
        }
    }
    return true;
}

/* Draws a position in the bounding box of the room, in whole millimetres. In a box, it keeps the
 * distance from the walls right away. */
static void draw_place(const struct places *p, const struct variation *v, struct random *r, double at[3])
{
    const struct room *room = p->room;
    const double kept = room_form(room) == ROOM_BOX ? p->plan->from_walls : 0.0;
    for (int i = 0; i < 3; i++) {
        double low = room->lower[i] + kept, high = room->lower[i] + room->size[i] - kept;
        if (i == 2) {
            low = fmax(low, v->low[2]);
            high = fmin(high, v->high[2]);
        }
        at[i] = round(1e3 * (low + (high - low) * random_unit(r))) / 1e3;
    }
}

static const double *position_of(const struct places *p, const struct variation *v)
{
    return v->receiver ? p->room->receivers[v->index].position : p->room->sources[v->index].position;
}

static int check_place(const struct places *p, const struct variation *v, struct error *e)
{
    const size_t count = v->receiver ? p->room->receiver_count : p->room->source_count;
    if (v->index >= count)
        return fail(e, ERROR_INPUT, "%s: %s: %s has %zu %s", v->origin, v->key, p->room->path, count,
                    v->receiver ? "receivers" : "sources");
    if (p->room->sized_by_points)
        return fail(e, ERROR_INPUT, "%s: %s: %s has room.points, but positions are drawn in metres; set room.size",
                    v->origin, v->key, p->room->path);
    return 0;
}

/* The position of `v` and its index among sources and receivers, once drawn. */
static size_t take_place(struct places *p, const struct variation *v, struct random *stream, double number[VARY_WIDTH])
{
    const size_t index = v->receiver ? p->room->source_count + v->index : v->index;
    const double *from = position_of(p, v);
    draw_place(p, v, stream, number);
    for (int axis = 0; axis < 3; axis++)
        p->moved[index][axis] = number[axis] - from[axis];
    return index;
}

/* Draws each position by itself until it is free. */
static int draw_each(struct drawn *d, struct places *p, struct random *streams, struct error *e)
{
    const struct plan *plan = d->plan;
    for (size_t i = 0; i < plan->variation_count; i++) {
        const struct variation *v = &plan->variations[i];
        bool free_place = v->kind != VARY_PLACE;
        for (size_t k = 0; !free_place; k++) {
            if (k == plan->tries)
                return fail(e, ERROR_INPUT,
                            "%s: %s: no free position found in %zu tries, %g m from walls and objects; lower "
                            "constraints.from_walls, or raise constraints.tries",
                            v->origin, v->key, plan->tries, plan->from_walls);
            if (stop_check(e))
                return -1;
            free_place = is_free_itself(p, take_place(p, v, &streams[i], d->numbers[i]));
        }
    }
    return 0;
}

static int refuse_fixed(const struct plan *plan, struct error *e)
{
    return fail(e, ERROR_INPUT,
                "%s: a source or receiver is closer than %g m to a wall or an object, or closer than %g m to "
                "another one, and no position of them varies; add place = \"room\"",
                plan->path, plan->from_walls, plan->from_each_other);
}

/* Opens the streams; *any: whether a position varies. Those that do not must be free. */
static int begin(const struct drawn *d, const struct places *p, struct random *streams, bool *any, struct error *e)
{
    const struct plan *plan = d->plan;
    const size_t sources = p->room->source_count, count = sources + p->room->receiver_count;
    bool *varies = calloc(count + 1, sizeof *varies);
    int status = varies ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < plan->variation_count; i++) {
        const struct variation *v = &plan->variations[i];
        if (v->kind != VARY_PLACE)
            continue;
        streams[i] = drawn_stream(plan, d->room, v->key);
        status = check_place(p, v, e);
        if (!status)
            varies[v->receiver ? sources + v->index : v->index] = *any = true;
    }
    for (size_t i = 0; !status && i < count; i++)
        if (!varies[i] && !is_free_itself(p, i))
            status = refuse_fixed(plan, e);
    free(varies);
    return status;
}

/* Each position by itself, and all of them again while two are too close: uniform over all sets that satisfy the
 * constraints. */
static int draw(struct drawn *d, struct places *p, struct random *streams, struct error *e)
{
    const struct plan *plan = d->plan;
    bool any = false;
    if (begin(d, p, streams, &any, e))
        return -1;
    for (size_t round = 0; round < plan->tries; round++) {
        if (draw_each(d, p, streams, e))
            return -1;
        if (all_are_apart(p))
            return 0;
        if (!any)
            return refuse_fixed(plan, e);
    }
    return fail(e, ERROR_INPUT,
                "%s: no positions %g m from each other found in %zu tries; lower constraints.from_each_other, or raise "
                "constraints.tries",
                plan->path, plan->from_each_other, plan->tries);
}

static int write_values(struct drawn *d, struct error *e)
{
    for (size_t i = 0; i < d->plan->variation_count; i++) {
        const double *at = d->numbers[i];
        if (d->plan->variations[i].kind != VARY_PLACE)
            continue;
        d->values[i] = text_format("[%.3f, %.3f, %.3f]", at[0], at[1], at[2]);
        if (!d->values[i])
            return fail(e, ERROR_MEMORY, "out of memory");
    }
    return 0;
}

int drawn_places(struct drawn *d, const struct room *room, struct error *e)
{
    struct places p = {.plan = d->plan, .room = room};
    struct random *streams = calloc(d->plan->variation_count + 1, sizeof *streams);
    p.moved = calloc(room->source_count + room->receiver_count + 1, sizeof *p.moved);
    int status = streams && p.moved ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = room_surface_make(&p.surface, room, room_form(room) == ROOM_BOX ? room->size : NULL, e) ||
                 ray_scene_make(&p.scene, &p.surface.surface, RAY_SCENE_DEVIATION, e) || draw(d, &p, streams, e) ||
                 write_values(d, e);
    free_places(&p);
    free(streams);
    return status ? -1 : 0;
}
