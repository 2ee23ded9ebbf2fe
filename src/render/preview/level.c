/* SPDX-License-Identifier: MIT */
#include "render/preview/level.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double look_ahead =
    0.003;                          /* s over which a gain falls: long enough to avoid clicks, too short to notice */
static const double release = 0.15; /* s in which an attenuation decays to 1/e */
static const double audible = 0.01; /* dB */
static const double whole = 0x1p40; /* attenuations are integers in units of 1/whole */

/* An attenuation is 1 - gain. Each frame needs one for its peak. The maximum over the last `length`
 * frames, with slow release, is averaged over `length` frames. An output frame is `length - 1`
 * frames old; each averaged value therefore covers its peak, and the mean is at least the need. */
struct limiter {
    size_t channels, length;
    double release_factor; /* factor of an attenuation per frame, on release */
    float *past;           /* [length][channels]: delayed frames */
    size_t at;             /* index of the next frame in past and history */
    /* sliding maximum: needs of the last `length` frames that no later one exceeds, descending */
    struct need {
        uint64_t attenuation;
        unsigned long long frame;
    } * needs; /* [length], a ring */
    size_t first, count;
    unsigned long long frame;
    uint64_t envelope; /* maximum with release, at the last frame */
    uint64_t *history; /* [length] of `envelope` */
    uint64_t sum;      /* of history */
};

int limiter_make(struct limiter **out, size_t channels, double rate, struct error *e)
{
    struct limiter *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l)
        return fail(e, ERROR_MEMORY, "out of memory");
    l->channels = channels;
    l->length = (size_t)ceil(look_ahead * rate) + 1;
    l->release_factor = exp(-1.0 / (release * rate));
    l->past = calloc(l->length * channels, sizeof *l->past);
    l->needs = calloc(l->length, sizeof *l->needs);
    l->history = calloc(l->length, sizeof *l->history);
    if (!l->past || !l->needs || !l->history) {
        limiter_free(l);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    *out = l;
    return 0;
}

void limiter_free(struct limiter *l)
{
    if (!l)
        return;
    free(l->past);
    free(l->needs);
    free(l->history);
    free(l);
}

size_t limiter_delay(const struct limiter *l)
{
    return l->length - 1;
}

/* Rounded up to be sufficient. */
static uint64_t attenuation_for(float peak)
{
    return (double)peak > LIMITER_CEILING ? (uint64_t)ceil((1.0 - LIMITER_CEILING / (double)peak) * whole) : 0;
}

/* The largest need of the last `length` frames, including this one. */
static uint64_t largest_need(struct limiter *l, uint64_t attenuation)
{
    if (l->count > 0 && l->needs[l->first].frame + l->length <= l->frame) {
        l->first = (l->first + 1) % l->length;
        l->count--;
    }
    while (l->count > 0 && l->needs[(l->first + l->count - 1) % l->length].attenuation <= attenuation)
        l->count--;
    l->needs[(l->first + l->count++) % l->length] = (struct need){attenuation, l->frame++};
    return l->needs[l->first].attenuation;
}

/* The gain of the output frame; `attenuation` is the need of the input frame. */
static double next_gain(struct limiter *l, uint64_t attenuation)
{
    const uint64_t needed = largest_need(l, attenuation);
    const uint64_t remaining =
        (uint64_t)((double)l->envelope * l->release_factor); /* truncated, which lets it reach 0 */
    l->envelope = needed > remaining ? needed : remaining;
    l->sum += l->envelope - l->history[l->at];
    l->history[l->at] = l->envelope;
    return 1.0 - (double)l->sum / (whole * (double)l->length);
}

static float clean(float sample)
{
    return isfinite(sample) ? sample : 0.0f;
}

struct limiter_report limiter_run(struct limiter *l, float *samples, size_t frames)
{
    const double audible_gain = pow(10.0, -0.05 * audible);
    struct limiter_report report = {0.0f, 1.0f, 0};
    for (size_t n = 0; n < frames; n++) {
        float *frame = samples + n * l->channels, peak = 0.0f;
        for (size_t c = 0; c < l->channels; c++)
            peak = fmaxf(peak, fabsf(frame[c] = clean(frame[c])));
        const double gain = next_gain(l, attenuation_for(peak));
        memcpy(l->past + l->at * l->channels, frame, l->channels * sizeof *frame);
        l->at = (l->at + 1) % l->length; /* the oldest frame is the output */
        for (size_t c = 0; c < l->channels; c++)
            frame[c] = (float)((double)l->past[l->at * l->channels + c] * gain);
        report.peak = fmaxf(report.peak, peak);
        report.gain = fminf(report.gain, (float)gain);
        report.limited += gain < audible_gain;
    }
    return report;
}

static const double measured_max = 30.0; /* s of the dry sound to measure */

enum { BLOCK = 4096 };

struct loudness {
    double power; /* sum of squares */
    double peak;
};

/* First of the `count` consecutive frames with the most energy. */
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

/* Power and peak of a part of the dry sound through the convolver, from silence. A whole loop is
 * preceded by `before` frames of itself, which count for the peak but not for the power. */
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
