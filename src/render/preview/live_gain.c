/* SPDX-License-Identifier: MIT */
#include "render/preview/live_gain.h"

#include <stdlib.h>

#include "render/preview/level.h"

static const double response_seconds = 0.5; /* s of a response, which contain nearly all of its energy */
static const float impulse_level = 1e-5f;   /* of full scale: its remains in the room are inaudible */

enum { EARS = 2 };

/* Measures the impulse response of the room block by block; `count` signals from `first` on into
 * taps [count][blocks * block]. */
static int measure_response(struct live *l, double *taps, size_t first, size_t count, size_t blocks, struct error *e)
{
    const struct monitor *monitor = live_monitor(l);
    const size_t block = live_block(l), signals = monitor->receivers + monitor->field;
    float *memory = calloc((1 + signals) * block, sizeof *memory), *out[LISTENED_MAX];
    int status = memory ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t r = 0; !status && r < signals; r++)
        out[r] = memory + (1 + r) * block;
    for (size_t b = 0; !status && b < blocks; b++) {
        memory[0] = b == 0 ? impulse_level : 0.0f;
        status = live_run(l, memory, out, e);
        for (size_t r = 0; !status && r < count; r++)
            for (size_t n = 0; n < block; n++)
                taps[(r * blocks + b) * block + n] = (double)(out[first + r][n] / impulse_level);
    }
    free(memory);
    return status;
}

int live_gain(double *gain, struct live *l, const struct ear_filters *ears, const float *dry, size_t frames,
              double rate, struct error *e)
{
    const struct monitor *monitor = live_monitor(l);
    const size_t receivers = monitor->receivers < EARS ? monitor->receivers : EARS;
    const size_t first = ears ? monitor->receivers : 0, count = ears ? monitor->field : receivers;
    const size_t block = live_block(l);
    const size_t blocks = ((size_t)(response_seconds * rate) + live_latency(l)) / block + 1, length = blocks * block;
    double *taps = calloc(count * length, sizeof *taps);
    if (!taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    struct convolver_filter filters[LISTENED_MAX];
    for (size_t i = 0; i < count; i++)
        filters[i] = (struct convolver_filter){taps + i * length, length};
    int status = measure_response(l, taps, first, count, blocks, e);
    if (!status)
        status = ears ? level_of_ears(gain, filters, ears, dry, frames, rate, e)
                      : level_gain(gain, filters, count, dry, frames, rate, e);
    free(taps);
    return status ? -1 : 0;
}
