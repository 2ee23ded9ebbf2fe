/* SPDX-License-Identifier: MIT */
/* How what was rendered is measured without a file. */
#ifndef AULA_RENDER_METRICS_SETTINGS_H
#define AULA_RENDER_METRICS_SETTINGS_H

#include "dsp/measure/metrics.h"
#include "render/render.h"

/* Those that recording_settings takes from the file of this response and the JSON beside it, at 16 bit apart: without a
 * file there is no noise of rounding. `response`: of r, or a part of its channels. */
struct metrics_settings rendering_metrics_settings(const struct rendering *r, const struct response *response,
                                                   const struct model *m);

#endif
