/* SPDX-License-Identifier: MIT */
/* Collective operations of all parts of a run: every part calls the same functions in the same order and obtains the same
 * result. A NULL transport means a single part. After a failure, except in gather_agree and in exchanges between two
 * parts, the transport is abandoned and the arguments are no longer read. */
#ifndef AULA_BASE_TRANSPORT_GATHER_H
#define AULA_BASE_TRANSPORT_GATHER_H

#include <stdint.h>

#include "base/transport/transport.h"

/* Nonzero if the `status` of any part is, with the error of the first such part: all parts continue, or none. */
int gather_agree(struct transport *t, int status, struct error *e);

/* The contributions of all parts, that of part 0 first. */
struct gathered {
    char *bytes;
    size_t count;
    size_t *ends; /* [parts]: of each part's bytes */
};

int gather_all(struct gathered *all, struct transport *t, const void *mine, size_t count, struct error *e);
void gathered_free(struct gathered *all); /* safe on a zeroed struct */

/* Each of values[count] becomes the sum over all parts. */
int gather_sums(struct transport *t, uint64_t *values, size_t count, struct error *e);

/* Bytes in fresh memory; NULL: none. */
struct bytes {
    char *at;
    size_t count;
};

/* Exchanges bytes with the part below (to[0], from[0]) and the part above (to[1], from[1]). neighbours: which of them
 * exist. Free from[]. */
int gather_sides(struct bytes from[2], struct transport *t, const struct bytes to[2], const bool neighbours[2],
                 struct error *e);

/* Sends bytes to part 0, which receives the contributions of all parts in order; the others receive nothing. */
int gather_first(struct gathered *all, struct transport *t, const void *mine, size_t count, struct error *e);

/* Between any parts: the count first. received->at is to be freed. */
int gather_send(struct transport *t, int to, const struct bytes *sent, struct error *e); /* both stay until a flush */
int gather_receive(struct bytes *received, struct transport *t, int from, struct error *e);

#endif
