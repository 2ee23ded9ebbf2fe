/* The last thing before the sound card: keeps every sample within full scale, by a gain that is known ahead.
 *
 * One gain for all channels. It looks `delay` frames ahead, falls to what a peak needs on a straight line that ends at that
 * peak, and rises again within a fifth of a second or so. Where nothing was too loud for some seconds the gain is 1 and
 * what comes out is what went in, bit for bit, `delay` frames later. The attenuation is counted in whole numbers, so that
 * no rounding gathers however long it runs. */
#ifndef AULA_PREVIEW_LIMITER_H
#define AULA_PREVIEW_LIMITER_H

#include <stddef.h>

#include "base/error.h"

#define LIMITER_CEILING                                                                                                \
    0.998 /* of full scale: the largest magnitude that passes unchanged, and the largest that comes out */

struct limiter;

/* rate in Hz: sets the times. On failure *l is NULL. */
int limiter_make(struct limiter **l, size_t channels, double rate, struct error *e);
void limiter_free(struct limiter *l); /* NULL-safe */

size_t limiter_delay(const struct limiter *l); /* frames: 3 ms */

struct limiter_report {
    float peak;     /* largest magnitude that came in */
    float gain;     /* least gain that was applied: 1 where nothing was done */
    size_t limited; /* frames with a gain below 1 by a hundredth of a dB or more */
};

/* samples: [frames][channels], in place. Infinite samples and those that are not numbers count as 0. Neither allocates nor
 * waits, for any number of frames. */
struct limiter_report limiter_run(struct limiter *l, float *samples, size_t frames);

#endif
