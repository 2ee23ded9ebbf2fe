/* SPDX-License-Identifier: MIT */
/* The figures of a room's responses. */
#ifndef AULA_RENDER_BATCH_ROOM_METRICS_H
#define AULA_RENDER_BATCH_ROOM_METRICS_H

#include "dsp/measure/metrics.h"
#include "render/render.h"

struct cJSON;

/* Adds an object for each source and receiver to `list`: figures of the receiver's first channel by octave,
 * 63 Hz to 8 kHz (those of figure_in_data_sets), as aula metrics measures them. Velocities have none. ERROR_MEMORY, ERROR_STOPPED. */
int room_metrics_add(struct cJSON *list, const struct model *m, const struct rendering *renderings, struct error *e);

#endif
