/* SPDX-License-Identifier: MIT */
/* Serialisation of values into bytes, written at one end of a transport and read at the other by the same program. */
#ifndef AULA_BASE_TRANSPORT_PACKET_H
#define AULA_BASE_TRANSPORT_PACKET_H

#include <stdbool.h>
#include <stddef.h>

struct packet {
    char *bytes;
    size_t count, room;
    size_t at;   /* of the next that is read */
    bool failed; /* out of memory, or read past the end */
};

void packet_free(struct packet *w);
void packet_put(struct packet *w, const void *from, size_t count);
void packet_put_size(struct packet *w, size_t value);

/* NULL beyond the end. */
const void *packet_take(struct packet *w, size_t count);
void packet_get(struct packet *w, void *to, size_t count); /* zeros beyond the end */
size_t packet_get_size(struct packet *w);

#endif
