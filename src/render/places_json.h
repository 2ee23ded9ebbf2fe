/* SPDX-License-Identifier: MIT */
/* Sources and channels of receivers in the JSON beside a response: positions on the grid, and
 * directivity. The points of stencils, hundreds of weights, are omitted. */
#ifndef AULA_RENDER_PLACES_JSON_H
#define AULA_RENDER_PLACES_JSON_H

#include "room/grid/model.h"

struct cJSON;

struct cJSON *source_json(const struct model *m, size_t source);
struct cJSON *channel_json(const struct model *m, size_t channel);

#endif
