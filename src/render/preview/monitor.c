/* SPDX-License-Identifier: MIT */
#include "render/preview/monitor.h"

#include <stdint.h>
#include <string.h>

#include "dsp/space/field_stencil.h"
#include "render/preview/head.h"

_Static_assert(LISTENED_FIELD_MAX == (FIELD_ORDER_MAX + 1) * (FIELD_ORDER_MAX + 1),
               "room for a field of the highest order");

static size_t find_head(const struct room *room)
{
    for (size_t i = 0; i < room->receiver_count; i++)
        if (room->receivers[i].kind == RECEIVER_AMBISONIC || room->receivers[i].kind == RECEIVER_BINAURAL)
            return i;
    return SIZE_MAX;
}

void monitor_make(struct monitor *l, struct room *room)
{
    *l = (struct monitor){.head = find_head(room)};
    if (l->head != SIZE_MAX) {
        struct receiver *head = &room->receivers[l->head];
        l->distance = head->kind == RECEIVER_BINAURAL ? head->ears.distance : 0.0;
        head->kind = RECEIVER_AMBISONIC;
        l->order = (int)head->order;
    }
    for (size_t c = 0; c < room_channel_count(room) && l->receivers < LISTENED_DIRECT_MAX; c++)
        if (l->head == SIZE_MAX || room_receiver_of(room, c) != &room->receivers[l->head])
            l->channel[l->receivers++] = c;
    if (l->head == SIZE_MAX)
        return;
    l->field = harmonics_count(l->order);
    for (size_t c = 0; c < l->field; c++)
        l->channel[l->receivers + c] = room_first_channel(room, l->head) + c;
}

int monitor_ears(struct ear_filters *ears, const struct monitor *l, const struct hrtf *hrtf, const char *path,
                 double rate, struct error *e)
{
    return hrtf ? ear_filters_make(ears, hrtf, l->order, rate, path, e) : head_cardioids(ears, l->order, rate, e);
}
