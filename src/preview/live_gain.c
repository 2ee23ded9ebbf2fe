#include "preview/live_gain.h"

#include <stdlib.h>

#include "preview/level.h"

static const double response_seconds = 0.5; /* s of a response, with nearly all of its energy */
static const float impulse_level = 1e-5f;   /* of full scale: its remains in the room are inaudible */

enum { EARS = 2 };

/* Impulse response of the room, block by block; the first EARS receivers into taps [EARS][blocks * block]. */
static int measure_response(struct live *l, double *taps, size_t blocks, struct error *e)
{
    const size_t block = live_block(l), receivers = live_receivers(l);
    float *memory = calloc((1 + receivers) * block, sizeof *memory), **out = calloc(receivers, sizeof *out);
    int status = memory && out ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t r = 0; !status && r < receivers; r++)
        out[r] = memory + (1 + r) * block;
    for (size_t b = 0; !status && b < blocks; b++) {
        memory[0] = b == 0 ? impulse_level : 0.0f;
        status = live_run(l, memory, out, e);
        for (size_t r = 0; !status && r < receivers && r < EARS; r++)
            for (size_t n = 0; n < block; n++)
                taps[(r * blocks + b) * block + n] = (double)(out[r][n] / impulse_level);
    }
    free(memory);
    free(out);
    return status;
}

int live_gain(double *gain, struct live *l, const float *dry, size_t frames, double rate, struct error *e)
{
    const size_t block = live_block(l), receivers = live_receivers(l);
    const size_t blocks = ((size_t)(response_seconds * rate) + live_latency(l)) / block + 1, length = blocks * block;
    double *taps = calloc(EARS * length, sizeof *taps);
    if (!taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    const struct convolver_filter filters[EARS] = {{taps, length}, {taps + length, length}};
    const int status = measure_response(l, taps, blocks, e) ||
                       level_gain(gain, filters, receivers < EARS ? receivers : EARS, dry, frames, rate, e);
    free(taps);
    return status ? -1 : 0;
}
