/* SPDX-License-Identifier: MIT */
/* Responses made a few channels at a time, by all threads, for what needs each of them once: memory holds a part for
 * each thread and never the whole. */
#ifndef AULA_RENDER_RESPONSE_PARTS_H
#define AULA_RENDER_RESPONSE_PARTS_H

#include "render/response.h"

enum { RESPONSE_PART = 16 }; /* channels, at most */

/* Called by several threads at once, once for each part. `first`: which channel the part begins with; its samples are
 * the taker's to change, and go when it returns. */
struct response_taker {
    int (*take)(void *context, size_t first, struct response *part, struct error *e);
    void *context;
};

/* The bits of response_make, each of length_frames of `seconds` (0: as many as it has). The first error of a thread ends
 * it. */
int response_parts(const struct traces *channels, const struct excitation *x, const struct response_settings *s,
                   double seconds, const struct response_taker *taker, struct error *e);

/* Hands over a response that is there as a whole. */
int response_split(const struct response *whole, const struct response_taker *taker, struct error *e);

#endif
