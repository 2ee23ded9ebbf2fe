/* SPDX-License-Identifier: MIT */
#include "render/mapping.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/band_filter.h"
#include "solver/schemes/isotropic19/isotropic19.h"

static const double LONGER = 1.15; /* in a lossy box: errors 120 dB below the response, 90 dB below its last tenth */

/* End of the map over the end of the valid band: 0.35 of the rate at 3.5 points per wavelength; the
 * cut-off is at 0.4. */
static const double STOP_RATIO = 1.4;

enum { CHANNELS_EACH = 16 }; /* of a mapper, at least */

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

struct mapping {
    struct traces *mapped;
    const struct traces *record;
    const struct grid *grid;
    const struct excitation *excitation;
    struct frequency_map map;
    size_t steps, lead;
    bool drifts;
};

static int open_mapper(struct frequency_mapper **mapper, const struct mapping *m, struct error *e)
{
    const struct excitation *x = m->excitation;
    return x->is_response
               ? frequency_mapper_open(mapper, &m->map, m->steps, m->mapped->frames, &x->gain, 1, e)
               : frequency_mapper_open(mapper, &m->map, m->steps, m->mapped->frames, x->samples, x->length, e);
}

/* A run of channels, with a mapper of its own. */
static int map_channels(const struct mapping *m, size_t first, size_t end, struct error *e)
{
    struct frequency_mapper *mapper = NULL;
    double *own = malloc((m->steps + 1) * sizeof *own);
    int status = own ? open_mapper(&mapper, m, e) : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = first; c < end && !status; c++) {
        memcpy(own, m->record->samples + c * m->record->frames, m->steps * sizeof *own);
        if (m->drifts) /* ahead of the fade-out of the end, which would spread it over all times */
            response_take_drift(own, m->steps, m->lead, m->grid->rate);
        status = frequency_mapper_run(mapper, own, m->mapped->samples + c * m->mapped->frames, e);
    }
    frequency_mapper_close(mapper);
    free(own);
    return status;
}

/* A mapper costs about as much to open as a channel to map. */
static size_t mapper_count(size_t channels)
{
    const size_t worth = channels / CHANNELS_EACH + 1, threads = (size_t)omp_get_max_threads();
    return worth < threads ? worth : threads;
}

static int map_all(const struct mapping *m, struct error *e)
{
    const size_t channels = m->record->channels, mappers = mapper_count(channels);
    int failures = 0;
#pragma omp parallel for num_threads((int)mappers)
    for (size_t i = 0; i < mappers; i++) {
        struct error inner;
        if (!map_channels(m, i * channels / mappers, (i + 1) * channels / mappers, &inner))
            continue;
#pragma omp critical(mapping_failed)
        if (!failures++)
            *e = inner;
    }
    return failures ? -1 : 0;
}

int mapping_apply(struct traces *mapped, const struct traces *record, size_t lead, size_t ahead, size_t frames,
                  bool drifts, const struct grid *g, const struct excitation *x, struct error *e)
{
    struct mapping m = {.mapped = mapped,
                        .record = record,
                        .grid = g,
                        .excitation = x,
                        .map = mapping_of(g),
                        .steps = mapping_steps(g, frames - ahead) + lead,
                        .lead = lead,
                        .drifts = drifts};
    m.map.lead = (double)lead;
    m.map.ahead = ahead;
    *mapped = (struct traces){.channels = record->channels, .frames = frames, .rate = record->rate};
    if (record->frames < m.steps)
        return fail(e, ERROR_FAILED, "the record ends after %zu steps, but %zu mapped frames need %zu", record->frames,
                    frames, m.steps);
    mapped->samples = malloc((record->channels * frames + 1) * sizeof *mapped->samples);
    const int status = mapped->samples ? map_all(&m, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (status)
        traces_free(mapped);
    return status;
}

uint64_t mapping_bytes(const struct grid *g, size_t steps, size_t channels, bool convolved)
{
    const struct frequency_map map = mapping_of(g);
    const uint64_t mappers = mapper_count(channels);
    return mappers * frequency_mapper_bytes(&map, steps, convolved ? steps : 1) +
           ((uint64_t)channels + mappers) * (steps + mapping_ringing(g)) * sizeof(double);
}
