/* SPDX-License-Identifier: MIT */
#include "render/wet.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "dsp/convolve.h"
#include "dsp/resample.h"

int wet_resample(struct audio *dry, const char *name, double rate, struct error *e)
{
    const size_t frames = resample_frames(dry->frames, dry->rate, rate);
    if (dry->rate == rate)
        return 0;
    if (memory_demand((double)dry->channels * (double)frames * sizeof(double), e,
                      "%s: %zu channels of %zu frames at %g Hz", name, dry->channels, frames, rate))
        return -1;
    double *samples = calloc(dry->channels * frames, sizeof *samples);
    int status = samples ? 0 : fail(e, ERROR_MEMORY, "%s: not enough memory for %g Hz", name, rate);
    for (size_t c = 0; !status && c < dry->channels; c++) {
        double *channel = NULL;
        size_t made = 0;
        struct error reason;
        if (resample(&channel, &made, dry->samples + c * dry->frames, dry->frames, dry->rate, rate, &reason))
            status =
                reason.code == ERROR_STOPPED ? stop_check(e) : fail(e, reason.code, "%s: %s", name, reason.message);
        else
            memcpy(samples + c * frames, channel, frames * sizeof *samples);
        free(channel);
    }
    if (status) {
        free(samples);
        return -1;
    }
    free(dry->samples);
    *dry = (struct audio){.samples = samples, .channels = dry->channels, .frames = frames, .rate = rate};
    return 0;
}

int wet_make(struct audio *wet, const struct audio *responses, const struct audio *dry, struct error *e)
{
    const size_t outputs = responses[0].channels;
    struct convolver_filter *filters = calloc(dry->channels * outputs, sizeof *filters);
    if (!filters)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < dry->channels; i++)
        for (size_t o = 0; o < outputs; o++)
            filters[i * outputs + o] =
                (struct convolver_filter){responses[i].samples + o * responses[i].frames, responses[i].frames};
    const int status =
        convolve(&wet->samples, &wet->frames, dry->samples, dry->channels, dry->frames, filters, outputs, e);
    free(filters);
    if (status)
        return -1;
    wet->channels = outputs;
    wet->rate = responses[0].rate;
    return 0;
}
