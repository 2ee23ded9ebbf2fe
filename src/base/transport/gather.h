/* SPDX-License-Identifier: MIT */
/* What all parts of a work that is cut do together: each calls the same functions in the same order, and all get the
 * same. A transport may be NULL: then there is one part. But for gather_agree, and for what goes between two parts, a
 * function that fails has given up the transport, and nothing that it was handed is read any more. */
#ifndef AULA_BASE_TRANSPORT_GATHER_H
#define AULA_BASE_TRANSPORT_GATHER_H

#include <stdint.h>

#include "base/transport/transport.h"

/* Nonzero where `status` of any part is, with the error of the first of them: all go on, or none does. */
int gather_agree(struct transport *t, int status, struct error *e);

/* What every part has given, that of part 0 first. */
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

/* To the part below and to that above, and what these have sent: to[0] and from[0] are of the part below. neighbours:
 * there is one. from[] is to be freed. */
int gather_sides(struct bytes from[2], struct transport *t, const struct bytes to[2], const bool neighbours[2],
                 struct error *e);

/* To part 0, which gets what each has given, in order; to the others nothing. */
int gather_first(struct gathered *all, struct transport *t, const void *mine, size_t count, struct error *e);

/* Between any parts: the count first. received->at is to be freed. */
int gather_send(struct transport *t, int to, const struct bytes *sent, struct error *e); /* both stay until a flush */
int gather_receive(struct bytes *received, struct transport *t, int from, struct error *e);

#endif
