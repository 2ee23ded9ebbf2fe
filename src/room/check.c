/* What concerns more than one key, once every key by itself is right. */
#include <stdlib.h>
#include <string.h>

#include "room/reader.h"

enum { LONGEST_NAME = 64 };
#define NAME_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_. "

static int by_name(const void *a, const void *b)
{
    const struct named *left = a, *right = b;
    return strcmp(left->name, right->name);
}

int check_names(struct reader *r, const char *what, const struct named *given, size_t count)
{
    char text[QUOTED];
    int result = 0;
    for (size_t i = 0; i < count; i++) {
        const char *name = given[i].name;
        if (strlen(name) > LONGEST_NAME)
            return reader_refuse_at(r, given[i].origin, "%s[%zu].name: is longer than %d letters", what, i,
                                    (int)LONGEST_NAME);
        if (!*name || name[strspn(name, NAME_LETTERS)] || !strcmp(name, ".") || !strcmp(name, ".."))
            return reader_refuse_at(r, given[i].origin,
                                    "%s[%zu].name: \"%s\" cannot be part of a file name; use letters (A to Z), digits, "
                                    "-, _, . and spaces",
                                    what, i, quoted(text, name));
    }
    struct named *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted)
        return reader_no_memory(r);
    memcpy(sorted, given, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 1; i < count && !result; i++)
        if (!strcmp(sorted[i].name, sorted[i - 1].name)) {
            /* `origin` points into an array in the order of the file: the later one is to blame */
            const struct named *later = sorted[i].origin > sorted[i - 1].origin ? &sorted[i] : &sorted[i - 1];
            const struct named *first = later == &sorted[i] ? &sorted[i - 1] : &sorted[i];
            char where[512];
            origin_text(first->origin, "", where, sizeof where);
            result = reader_refuse_at(r, later->origin, "%s: the name \"%s\" is taken (%s); give each its own", what,
                                      quoted(text, later->name), where);
        }
    free(sorted);
    return result;
}

static int check_position(struct reader *r, const char *what, size_t index, const double position[3],
                          const struct origin *origin)
{
    const struct room *room = r->room;
    for (size_t axis = 0; axis < 3; axis++) {
        bool below = room->sized_by_points || position[axis] <= room->size[axis];
        if (position[axis] >= 0 && below)
            continue;
        if (room->sized_by_points)
            return reader_refuse_at(r, origin, "%s[%zu].position: %c = %g m lies outside the room, which begins at 0",
                                    what, index, "xyz"[axis], position[axis]);
        return reader_refuse_at(r, origin, "%s[%zu].position: %c = %g m lies outside the room, which spans 0 to %g m",
                                what, index, "xyz"[axis], position[axis], room -> size[axis]);
    }
    return 0;
}

static int check_object(struct reader *r, size_t index, const struct object *o)
{
    if (o->shape == SHAPE_CYLINDER && !memcmp(o->from, o->to, sizeof o->from))
        return reader_refuse_at(r, &o->origin,
                                "room.objects[%zu]: the two ends of the cylinder's axis are the same point", index);
    for (size_t axis = 0; axis < 3 && o->shape == SHAPE_BOX; axis++)
        if (!(o->from[axis] < o->to[axis]))
            return reader_refuse_at(r, &o->origin,
                                    "room.objects[%zu]: from (%g) must be less than to (%g) along %c; `from` is the "
                                    "lowest corner",
                                    index, o->from[axis], o->to[axis], "xyz"[axis]);
    return 0;
}

static int check_source(struct reader *r, size_t index, const struct source *s)
{
    if (s->gain == 0)
        return reader_refuse_at(r, &s->origin, "sources[%zu].gain: is 0, so nothing would sound; leave the source out",
                                index);
    if (s->signal == SIGNAL_SWEEP && s->high != 0 && !(s->high > s->low))
        return reader_refuse_at(r, &s->origin, "sources[%zu].high: %g Hz must be above low, %g Hz", index, s->high,
                                s->low);
    return check_position(r, "sources", index, s->position, &s->origin);
}

int check_room(struct reader *r)
{
    struct room *room = r->room;
    size_t most = room->source_count > room->receiver_count ? room->source_count : room->receiver_count;
    struct named *names = malloc((most + 1) * sizeof *names);
    int result = -1;
    if (!names)
        return reader_no_memory(r);
    for (size_t i = 0; i < room->object_count; i++)
        if (check_object(r, i, &room->objects[i]))
            goto done;
    for (size_t i = 0; i < room->source_count; i++) {
        names[i] = (struct named){room->sources[i].name, &room->sources[i].origin};
        if (check_source(r, i, &room->sources[i]))
            goto done;
    }
    if (check_names(r, "sources", names, room->source_count))
        goto done;
    if (room->receiver_count > RECEIVERS_MOST) {
        reader_refuse_at(
            r, &room->receivers[RECEIVERS_MOST].origin,
            "receivers: %zu of them, but a sound file holds at most %d channels; split them over several room files",
            room->receiver_count, (int)RECEIVERS_MOST);
        goto done;
    }
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *receiver = &room->receivers[i];
        names[i] = (struct named){receiver->name, &receiver->origin};
        if (check_position(r, "receivers", i, receiver->position, &receiver->origin))
            goto done;
    }
    result = check_names(r, "receivers", names, room->receiver_count) || check_instruments(r) ? -1 : 0;
done:
    free(names);
    return result;
}
