/* SPDX-License-Identifier: MIT */
#include "render/preview/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/preview/limiter.h"

static const double measured_max = 30.0; /* s of the dry sound that are measured */

enum { BLOCK = 4096 };

struct loudness {
    double power; /* sum of squares */
    double peak;
};

/* The first frame of the `count` consecutive ones with the most energy. */
static size_t loudest_part(const float *dry, size_t frames, size_t count)
{
    double energy = 0.0, max = -1.0;
    size_t best = 0;
    for (size_t n = 0; n < frames; n++) {
        energy += (double)dry[n] * (double)dry[n];
        if (n >= count)
            energy -= (double)dry[n - count] * (double)dry[n - count];
        if (n + 1 >= count && energy > max) {
            max = energy;
            best = n + 1 - count;
        }
    }
    return best;
}

/* Power and peak of a part of the dry sound through the convolver, from silence. A whole loop is preceded by `before`
 * frames of itself, which count for the peak but not for the power. */
static int measure(struct loudness *wet, struct convolver *c, const float *dry, size_t frames, size_t first,
                   size_t count, size_t before, struct error *e)
{
    const size_t outputs = convolver_outputs(c);
    float *memory = calloc((1 + outputs) * BLOCK, sizeof *memory), **out = calloc(outputs, sizeof *out);
    int status = memory && out ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t o = 0; !status && o < outputs; o++)
        out[o] = memory + (1 + o) * BLOCK;
    *wet = (struct loudness){0.0, 0.0};
    for (size_t done = 0; !status && done < before + count; done += BLOCK) {
        const float *in = memory;
        for (size_t n = 0; n < BLOCK; n++)
            memory[n] = dry[(first + done + n) % frames];
        convolver_run(c, &in, out);
        for (size_t o = 0; o < outputs; o++)
            for (size_t n = 0; n < BLOCK && done + n < before + count; n++) {
                const double sample = (double)out[o][n];
                wet->peak = fmax(wet->peak, fabs(sample));
                wet->power += done + n >= before ? sample * sample / (double)outputs : 0.0;
            }
    }
    free(memory);
    free(out);
    return status;
}

static double gain_for_noise(const struct convolver_filter *filters, size_t count)
{
    double energy = 0.0;
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < filters[i].count; n++)
            energy += filters[i].taps[n] * filters[i].taps[n] / (double)count;
    return energy > 0.0 ? 1.0 / sqrt(energy) : 1.0;
}

int level_gain(double *gain, const struct convolver_filter *filters, size_t count, const float *dry, size_t frames,
               double rate, struct error *e)
{
    struct convolver *c;
    struct loudness wet;
    double power = 0.0;
    size_t reach = 0;
    *gain = 1.0;
    const size_t part = (double)frames > measured_max * rate ? (size_t)(measured_max * rate) : frames;
    const size_t first = part < frames ? loudest_part(dry, frames, part) : 0;
    for (size_t i = 0; i < count; i++)
        reach = filters[i].count > reach ? filters[i].count : reach;
    for (size_t n = first; n < first + part; n++)
        power += (double)dry[n] * (double)dry[n];
    if (convolver_make(&c, 1, count, filters, BLOCK, e))
        return -1;
    const int status = measure(&wet, c, dry, frames, first, part, part == frames ? reach : 0, e);
    convolver_free(c);
    if (status)
        return -1;
    if (!(power > 0.0 && wet.power > 0.0)) {
        *gain = gain_for_noise(filters, count);
        return 0;
    }
    const double highest = LIMITER_CEILING * pow(10.0, -0.05 * LEVEL_HEADROOM);
    *gain = fmin(sqrt(power / wet.power), highest / wet.peak);
    return 0;
}

int level_of_ears(double *gain, const struct convolver_filter *filters, const struct ear_filters *ears,
                  const float *dry, size_t frames, double rate, struct error *e)
{
    const size_t count = filters[0].count;
    double *field = malloc(ears->channels * count * sizeof *field + 1), *heard = NULL;
    size_t length = 0;
    if (!field)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < ears->channels; c++)
        memcpy(field + c * count, filters[c].taps, count * sizeof *field);
    int status = ear_filters_run(&heard, &length, ears, field, count, e);
    if (!status) {
        const struct convolver_filter both[2] = {{heard, length}, {heard + length, length}};
        status = level_gain(gain, both, 2, dry, frames, rate, e);
    }
    free(field);
    free(heard);
    return status;
}
