/* SPDX-License-Identifier: MIT */
/* Settings for measuring a rendering without a file. */
#ifndef AULA_RENDER_METRICS_SETTINGS_H
#define AULA_RENDER_METRICS_SETTINGS_H

#include "dsp/measure/metrics.h"
#include "render/render.h"

/* The settings that recording_settings derives from the file of this response and its JSON, without
 * the rounding noise of 16-bit files. `response`: of r, or some of its channels. */
struct metrics_settings rendering_metrics_settings(const struct rendering *r, const struct response *response,
                                                   const struct model *m);

#endif
