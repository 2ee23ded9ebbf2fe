/* SPDX-License-Identifier: MIT */
#include "base/transport/packet.h"

#include <stdlib.h>
#include <string.h>

void packet_free(struct packet *w)
{
    free(w->bytes);
    *w = (struct packet){.bytes = NULL};
}

/* Everything begins where a number may. What has whole numbers can be taken in other pieces than it was put in. */
static size_t padded(size_t count)
{
    const size_t alignment = sizeof(double);
    return (count + alignment - 1) / alignment * alignment;
}

void packet_put(struct packet *w, const void *from, size_t count)
{
    const size_t taken = padded(count);
    if (w->room - w->count < taken) {
        const size_t room = w->count + taken + w->room / 2 + 4096;
        char *longer = realloc(w->bytes, room);
        w->failed = w->failed || !longer;
        if (!longer)
            return;
        w->bytes = longer;
        w->room = room;
    }
    if (count)
        memcpy(w->bytes + w->count, from, count);
    memset(w->bytes + w->count + count, 0, taken - count);
    w->count += taken;
}

void packet_put_size(struct packet *w, size_t value)
{
    packet_put(w, &value, sizeof value);
}

const void *packet_take(struct packet *w, size_t count)
{
    if (w->failed || count > w->count - w->at || padded(count) > w->count - w->at) {
        w->failed = true;
        return NULL;
    }
    const char *at = w->bytes + w->at;
    w->at += padded(count);
    return at;
}

void packet_get(struct packet *w, void *to, size_t count)
{
    const void *from = packet_take(w, count);
    if (from && count)
        memcpy(to, from, count);
    else if (count)
        memset(to, 0, count);
}

size_t packet_get_size(struct packet *w)
{
    size_t value = 0;
    packet_get(w, &value, sizeof value);
    return value;
}
