/* SPDX-License-Identifier: MIT */
#include "present/views/packed_room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "present/views/coarse.h"

enum { PLACES_MAX = 65535 }; /* of a voxel's corner along an axis, in the page */

static bool is_small(const struct voxel_set *set, const struct rectangles *faces, size_t most)
{
    bool small = faces->count <= most;
    for (int i = 0; i < 3; i++)
        small = small && voxel_set_count(set, i) <= PLACES_MAX;
    return small;
}

static int compare(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int by_group(const void *a, const void *b)
{
    const struct rectangle *p = a, *q = b;
    const int orders[] = {compare(p->side, q->side), compare(p->code, q->code), compare(p->at, q->at),
                          compare(p->from[1], q->from[1]), compare(p->from[0], q->from[0])};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (orders[i])
            return orders[i];
    return 0;
}

static bool same_group(const struct rectangle *a, const struct rectangle *b)
{
    return a->side == b->side && a->code == b->code && a->at == b->at;
}

static void put(struct packed_room *s, size_t value)
{
    for (; value > 127; value >>= 7)
        s->bytes[s->byte_count++] = (uint8_t)(value & 127) | 128;
    s->bytes[s->byte_count++] = (uint8_t)value;
}

static void put_group(struct packed_room *s, const struct rectangle *group, size_t count)
{
    size_t row = 0;
    put(s, group->side);
    put(s, view_material(&s->room, group->code));
    put(s, group->at);
    put(s, count);
    for (size_t i = 0; i < count; i++) {
        const struct rectangle *r = &group[i];
        put(s, r->from[1] - row);
        put(s, r->from[0]);
        put(s, r->to[0] - r->from[0] - 1);
        put(s, r->to[1] - r->from[1] - 1);
        row = r->from[1];
    }
}

static int pack(struct packed_room *s, struct error *e)
{
    enum { NUMBER = 3, RECTANGLE = 8 * NUMBER, HEAD = 4 * 10 }; /* bytes at most: numbers are up to 65535 */
    s->bytes = malloc(HEAD + RECTANGLE * s->faces.count);
    if (!s->bytes)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (s->faces.count)
        qsort(s->faces.list, s->faces.count, sizeof *s->faces.list, by_group);
    for (int i = 0; i < 3; i++)
        put(s, voxel_set_count(s->room.set, i));
    put(s, s->faces.count);
    for (size_t i = 0, next; i < s->faces.count; i = next) {
        for (next = i + 1; next < s->faces.count && same_group(&s->faces.list[i], &s->faces.list[next]); next++)
            ;
        put_group(s, &s->faces.list[i], next - i);
    }
    return 0;
}

/* Coarsens the voxels until the rectangles are few enough. */
static int make_coarse(struct packed_room *s, const struct viewed_room *room, size_t most, struct error *e)
{
    const double ratio = (double)s->faces.count / (double)most;
    size_t factor = (size_t)fmax(2.0, ceil(sqrt(ratio) - 0.25));
    for (int i = 0; i < 3; i++)
        factor = (size_t)fmax((double)factor, ceil((double)voxel_set_count(room->set, i) / PLACES_MAX));
    for (;; factor += 1 + factor / 4) {
        rectangles_free(&s->faces);
        voxel_set_free(s->coarse);
        s->coarse = NULL;
        if (coarse_set(&s->coarse, room->set, factor, e) || rectangles_find(&s->faces, s->coarse, e))
            return -1;
        if (is_small(s->coarse, &s->faces, most))
            break;
    }
    s->factor = factor;
    s->room.set = s->coarse;
    s->room.spacing = room->spacing * (double)factor;
    for (int i = 0; i < 3; i++) /* one more voxel around */
        s->room.origin[i] = room->origin[i] - s->room.spacing;
    return 0;
}

int packed_room_make(struct packed_room *s, const struct viewed_room *room, size_t most, struct error *e)
{
    memset(s, 0, sizeof *s);
    s->room = *room;
    s->factor = 1;
    int status = rectangles_find(&s->faces, room->set, e);
    if (!status && !is_small(room->set, &s->faces, most))
        status = make_coarse(s, room, most, e);
    if (!status)
        status = pack(s, e);
    if (status)
        packed_room_free(s);
    return status ? -1 : 0;
}

void packed_room_free(struct packed_room *s)
{
    rectangles_free(&s->faces);
    voxel_set_free(s->coarse);
    free(s->bytes);
    memset(s, 0, sizeof *s);
}

double packed_room_floor(const struct viewed_room *room, const double position[3])
{
    size_t at[3];
    for (int i = 0; i < 3; i++) {
        const double voxel = floor((position[i] - room->origin[i]) / room->spacing);
        if (!(voxel >= 0.0 && voxel < (double)voxel_set_count(room->set, i)))
            return position[2];
        at[i] = (size_t)voxel;
    }
    if (!voxel_set_is_air(room->set, at[0], at[1], at[2]))
        return position[2];
    while (at[2] > 0 && voxel_set_is_air(room->set, at[0], at[1], at[2] - 1))
        at[2]--;
    return room->origin[2] + room->spacing * (double)at[2];
}
