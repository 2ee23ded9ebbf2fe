/* SPDX-License-Identifier: MIT */
/* Checks that involve several keys. Each key has been checked on its own by then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "geometry/mesh_read.h"
#include "room/reader.h"

/* Whether the size is unknown because a mistake in it has been reported. */
static bool is_unsized(const struct room *room)
{
    return !room->sized_by_points && !(room->size[0] > 0 && room->size[1] > 0 && room->size[2] > 0);
}

/* Whether the position would lie in the room with the other vertical axis: with y up, or in the
 * file's own axes if up = "y" turned them. */
static bool fits_turned(const struct room *room, const double at[3])
{
    const double *least = room->lower, *size = room->size;
    const bool turned = room->geometry.up == MESH_UP_Y;
    const double low[3] = {least[0], turned ? least[2] : -least[2] - size[2], turned ? -least[1] - size[1] : least[1]};
    const double extent[3] = {size[0], size[2], size[1]};
    for (int axis = 0; axis < 3; axis++)
        if (!(at[axis] >= low[axis] && at[axis] <= low[axis] + extent[axis]))
            return false;
    return true;
}

/* Whether all its coordinates are too large for metres, but not for centimetres. */
static bool fits_centimetres(const struct room *room, const double at[3])
{
    const double metres[3] = {0.01 * at[0], 0.01 * at[1], 0.01 * at[2]};
    for (int axis = 0; axis < 3; axis++)
        if (!(at[axis] > room->lower[axis] + room->size[axis]))
            return false;
    return room_spans(room, metres);
}

/* The likely mistake behind a position outside the room, as the end of a message. */
static const char *outside_hint(const struct room *room, const double at[3])
{
    const bool bare = room->geometry.file && mesh_format_is_bare(room->geometry.file);
    if (bare && fits_turned(room, at))
        return room->geometry.up == MESH_UP_Y ? "; with up = \"z\" it would lie inside"
                                              : "; with up = \"y\" it would lie inside";
    return fits_centimetres(room, at) ? "; these look like centimetres; use metres" : "";
}

static int refuse_outside(struct reader *r, const char *key, size_t axis, const double place[3],
                          const struct origin *origin)
{
    const struct room *room = r->room;
    const double lower = room->lower[axis], at = place[axis];
    if (room->sized_by_points)
        return reader_refuse_at(r, origin, "%s: %c = %.9g m lies outside the room, which starts at 0", key, "xyz"[axis],
                                at);
    return reader_refuse_at(r, origin, "%s: %c = %.9g m lies outside the room, which spans %.9g to %.9g m%s", key,
                            "xyz"[axis], at, lower, lower + room->size[axis], outside_hint(room, place));
}

static int check_position(struct reader *r, const char *key, const double position[3], const struct origin *origin)
{
    const struct room *room = r->room;
    const bool unsized = is_unsized(room);
    if (r->unplaced || (unsized && room_form(room) != ROOM_BOX) || room_spans(room, position))
        return 0;
    for (size_t axis = 0; axis < 3; axis++) {
        const double at = position[axis], lower = room->lower[axis];
        const bool open = room->sized_by_points || !(room->size[axis] > 0);
        if (!(at >= lower) || (!open && !(at <= lower + room->size[axis])))
            return refuse_outside(r, key, axis, position, origin);
    }
    if (unsized)
        return 0;
    if (position[2] > room_ceiling(room, position))
        return reader_refuse_at(r, origin, "%s: z = %g m lies above the ceiling, which is at %g m over (%g, %g) m", key,
                                position[2], room_ceiling(room, position), position[0], position[1]);
    return reader_refuse_at(r, origin, "%s: (%g, %g) m lies outside the room's corners", key, position[0], position[1]);
}

static int check_block(struct reader *r, size_t index, const struct object *o)
{
    for (size_t axis = 0; axis < 3; axis++)
        if (!(o->from[axis] < o->to[axis]))
            return reader_refuse_at(
                r, &o->origin,
                "room.objects[%zu]: from (%g) must be less than to (%g) along %c; use the lowest corner as from", index,
                o->from[axis], o->to[axis], "xyz"[axis]);
    return 0;
}

static int check_object(struct reader *r, size_t index, const struct object *o)
{
    char what[40];
    snprintf(what, sizeof what, "room.objects[%zu]", index);
    switch (o->shape) {
    case SHAPE_BOX:
    case SHAPE_WEDGE:
        return check_block(r, index, o);
    case SHAPE_CYLINDER:
        if (!memcmp(o->from, o->to, sizeof o->from))
            return reader_refuse_at(r, &o->origin, "%s: from and to of a cylinder must not be the same point", what);
        return 0;
    case SHAPE_POLYGON:
        if (!(o->bottom < o->top))
            return reader_refuse_at(r, &o->origin, "%s: bottom (%g) must be less than top (%g)", what, o->bottom,
                                    o->top);
        return refuse_floor_plan(r, &o->origin, what, (const double(*)[2])o->corners, o->corner_count);
    default:
        return 0;
    }
}

/* Checks the geometry only; the model checks positions on the grid. */
static int check_in_air(struct reader *r, const char *what, const char *name, const double position[3],
                        const struct origin *origin)
{
    const struct room *room = r->room;
    char object[OBJECT_NAME];
    const size_t index = room_object_at(room, position);
    if (r->unplaced || index == room->object_count || reader_found_wrong(r, &room->objects[index]))
        return 0;
    return reader_refuse_at(r, origin, "%s %s at (%.9g, %.9g, %.9g) m lies inside %s; move it or the object", what,
                            name, position[0], position[1], position[2], room_object_name(room, index, object));
}

static int check_source(struct reader *r, size_t index, struct source *s)
{
    if (s->gain == 0)
        return reader_refuse_at(r, &s->origin, "sources[%zu].gain: must not be 0; remove the source to silence it",
                                index);
    if (s->signal == SIGNAL_SWEEP && s->high != 0 && !(s->high > s->low))
        return reader_refuse_at(r, &s->origin, "sources[%zu].high: %g Hz must be above low (%g Hz)", index, s->high,
                                s->low);
    char key[64];
    snprintf(key, sizeof key, "sources[%zu].position", index);
    return source_make_pattern(r, index, s) || check_position(r, key, s->position, &s->origin) ||
           check_in_air(r, "source", s->name, s->position, &s->origin);
}

static int check_receiver(struct reader *r, size_t index, struct receiver *receiver)
{
    if (receiver_make_places(r, index, receiver))
        return -1;
    for (size_t i = 0; i < receiver_place_count(receiver); i++) {
        const double *place = receiver_place(receiver, i);
        char key[96];
        if (receiver->kind != RECEIVER_ARRAY)
            snprintf(key, sizeof key, "receivers[%zu].position", index);
        else if (receiver->array.shape == ARRAY_LIST)
            snprintf(key, sizeof key, "receivers[%zu].positions[%zu]", index, i);
        else
            snprintf(key, sizeof key, "receivers[%zu]: channel %zu of the array", index, i + 1);
        if (check_position(r, key, place, &receiver->origin) ||
            check_in_air(r, "receiver", receiver->name, place, &receiver->origin))
            return -1;
    }
    return 0;
}

static int check_objects(struct reader *r, struct named *names)
{
    const struct room *room = r->room;
    for (size_t i = 0; i < room->object_count; i++) {
        const struct object *object = &room->objects[i];
        names[i] = (struct named){object->name, &object->origin, object};
        if (reader_found_wrong(r, object) || !check_object(r, i, object))
            continue;
        if (!reader_goes_on(r))
            return -1;
        reader_mark_wrong(r, object);
    }
    return check_names(r, "room.objects", false, names, room->object_count);
}

static int check_sources(struct reader *r, struct named *names)
{
    const struct room *room = r->room;
    for (size_t i = 0; i < room->source_count; i++) {
        struct source *source = &room->sources[i];
        names[i] = (struct named){source->name, &source->origin, source};
        if (!reader_found_wrong(r, source) && check_source(r, i, source) && !reader_goes_on(r))
            return -1;
    }
    return check_names(r, "sources", true, names, room->source_count);
}

static int check_channels(struct reader *r)
{
    const struct room *room = r->room;
    if (room_channel_count(room) <= RECEIVERS_MAX)
        return 0;
    reader_refuse_at(
        r, &room_receiver_of(room, RECEIVERS_MAX)->origin,
        "receivers: %zu channels exceed the %d that a sound file holds; split them over several room files",
        room_channel_count(room), (int)RECEIVERS_MAX);
    return reader_goes_on(r) ? 0 : -1;
}

static int check_receivers(struct reader *r, struct named *names)
{
    const struct room *room = r->room;
    for (size_t i = 0; i < room->receiver_count; i++) {
        struct receiver *receiver = &room->receivers[i];
        names[i] = (struct named){receiver->name, &receiver->origin, receiver};
        if (!reader_found_wrong(r, receiver) && check_receiver(r, i, receiver) && !reader_goes_on(r))
            return -1;
    }
    return check_channels(r) || check_names(r, "receivers", true, names, room->receiver_count) ? -1 : 0;
}

/* Determines the extent of rooms whose file does not state it. */
static int measure_room(struct reader *r)
{
    const enum room_form form = room_form(r->room);
    const int status = form == ROOM_POLYGON ? check_plan(r) : form == ROOM_MESH ? read_geometry(r) : 0;
    return status && !reader_goes_on(r) ? -1 : 0;
}

int check_room(struct reader *r)
{
    const struct room *room = r->room;
    size_t max = room->source_count > room->receiver_count ? room->source_count : room->receiver_count;
    max = room->object_count > max ? room->object_count : max;
    struct named *names = malloc((max + 1) * sizeof *names);
    if (!names)
        return reader_no_memory(r);
    const int status = measure_room(r) || check_objects(r, names) || check_sources(r, names) ||
                       check_receivers(r, names) || check_instruments(r);
    free(names);
    return status ? -1 : 0;
}
