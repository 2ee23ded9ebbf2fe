/* SPDX-License-Identifier: MIT */
#include "render/metrics_settings.h"

#include <math.h>

#include "dsp/measure/recording.h"

struct metrics_settings rendering_metrics_settings(const struct rendering *r, const struct response *response,
                                                   const struct model *m)
{
    const double strength = fabs(m->room->sources[r->first].gain), pass = response->band.pass;
    const double valid = pass > 0.0 ? fmin(pass, hybrid_valid_to(m, &r->halves)) : hybrid_valid_to(m, &r->halves);
    return (struct metrics_settings){.valid_low = m->room->output.filter != FILTER_NONE ? RESPONSE_HIGH_PASS : 0.0,
                                     .valid_high = fmin(valid, 0.5 * response->rate),
                                     .calibrated = !recording_uncalibrated(response->is_filter, r->count > 1, strength),
                                     .scale = 1.0 / strength,
                                     .noiseless = response->is_filter,
                                     .delay = response->band.delay[0]};
}
