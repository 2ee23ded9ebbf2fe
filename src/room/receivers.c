/* Kinds of receivers, and their channels. */
#include "room/room.h"

const struct receiver_kind receiver_kinds[RECEIVER_KINDS] = {
    [RECEIVER_OMNI] = {.channels = 1},
};

size_t room_first_channel(const struct room *room, size_t receiver)
{
    size_t channel = 0;
    for (size_t i = 0; i < receiver; i++)
        channel += receiver_kinds[room->receivers[i].kind].channels;
    return channel;
}

size_t room_channel_count(const struct room *room)
{
    return room_first_channel(room, room->receiver_count);
}

const struct receiver *room_receiver_of(const struct room *room, size_t channel)
{
    const struct receiver *r = room->receivers;
    for (; channel >= receiver_kinds[r->kind].channels; r++)
        channel -= receiver_kinds[r->kind].channels;
    return r;
}
