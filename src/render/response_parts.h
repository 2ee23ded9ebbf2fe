/* SPDX-License-Identifier: MIT */
/* Makes responses a few channels at a time on all threads, for consumers that need each channel
 * once. Memory holds one part per thread instead of the whole response. */
#ifndef AULA_RENDER_RESPONSE_PARTS_H
#define AULA_RENDER_RESPONSE_PARTS_H

#include "render/response.h"

enum { RESPONSE_PART = 16 }; /* maximum channels of a part */

/* Called once per part, by several threads concurrently. `first`: the first channel of the part.
 * The taker may change the samples, which are freed when it returns. */
struct response_taker {
    int (*take)(void *context, size_t first, struct response *part, struct error *e);
    void *context;
};

/* Same bits as response_make, each response with length_frames of `seconds` (0: all it has). The
 * first error of a thread ends the call. */
int response_parts(const struct traces *channels, const struct excitation *x, const struct response_settings *s,
                   double seconds, const struct response_taker *taker, struct error *e);

/* Passes a complete response on in parts. */
int response_split(const struct response *whole, const struct response_taker *taker, struct error *e);

#endif
