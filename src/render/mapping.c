/* SPDX-License-Identifier: MIT */
#include "render/mapping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/band_filter.h"
#include "solver/schemes/isotropic19/isotropic19.h"

static const double LONGER = 1.15; /* in a lossy box: errors 120 dB below the response, 90 dB below its last tenth */

/* End of the map over the end of the valid band: 0.35 of the rate at 3.5 points per wavelength; the
 * cut-off is at 0.4. */
static const double STOP_RATIO = 1.4;

struct frequency_map mapping_of(const struct grid *g)
{
    const double edge = g->valid_frequency / g->rate;
    return (struct frequency_map){.grid_frequency = isotropic19_grid_frequency,
                                  .gain = isotropic19_gain,
                                  .pass = LOW_PASS_STOP_RATIO * edge,
                                  .stop = STOP_RATIO * edge};
}

double mapping_grid_frequency(const struct grid *g, double frequency)
{
    return g->rate * isotropic19_grid_frequency(frequency / g->rate);
}

size_t mapping_ringing(const struct grid *g)
{
    const struct frequency_map map = mapping_of(g);
    return frequency_map_ringing(&map);
}

size_t mapping_steps(const struct grid *g, size_t frames)
{
    const double slowest = isotropic19_group_velocity(isotropic19_grid_frequency(g->valid_frequency / g->rate));
    return (size_t)ceil(fmax(LONGER, 1.0 / ((1.0 - FREQUENCY_MAP_FADE) * slowest)) * (double)frames);
}

struct excitation mapping_impulse(double samples[1])
{
    samples[0] = 1.0;
    return (struct excitation){.samples = samples, .length = 1, .is_response = true, .gain = 1.0};
}

int mapping_apply(struct traces *mapped, const struct traces *record, size_t lead, size_t ahead, size_t frames,
                  bool drifts, const struct grid *g, const struct excitation *x, struct error *e)
{
    struct frequency_map map = mapping_of(g);
    const size_t steps = mapping_steps(g, frames - ahead) + lead;
    map.lead = (double)lead;
    map.ahead = ahead;
    struct frequency_mapper *mapper = NULL;
    *mapped = (struct traces){.channels = record->channels, .frames = frames, .rate = record->rate};
    if (record->frames < steps)
        return fail(e, ERROR_FAILED, "the record ends after %zu steps, but %zu mapped frames need %zu", record->frames,
                    frames, steps);
    mapped->samples = malloc((record->channels * frames + 1) * sizeof *mapped->samples);
    double *own = malloc(steps * sizeof *own);
    int status = mapped->samples && own ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = x->is_response ? frequency_mapper_open(&mapper, &map, steps, frames, &x->gain, 1, e)
                                : frequency_mapper_open(&mapper, &map, steps, frames, x->samples, x->length, e);
    for (size_t c = 0; c < record->channels && !status; c++) {
        memcpy(own, record->samples + c * record->frames, steps * sizeof *own);
        if (drifts) /* ahead of the fade-out of the end, which would spread it over all times */
            response_take_drift(own, steps, lead, g->rate);
        status = frequency_mapper_run(mapper, own, mapped->samples + c * frames, e);
    }
    frequency_mapper_close(mapper);
    free(own);
    if (status)
        traces_free(mapped);
    return status;
}

uint64_t mapping_bytes(const struct grid *g, size_t steps, size_t channels, bool convolved)
{
    const struct frequency_map map = mapping_of(g);
    return frequency_mapper_bytes(&map, steps, convolved ? steps : 1) +
           ((uint64_t)channels + 1) * (steps + mapping_ringing(g)) * sizeof(double);
}
