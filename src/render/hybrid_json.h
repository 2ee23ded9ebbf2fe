/* SPDX-License-Identifier: MIT */
/* What a response over the whole band is made of, in words and as JSON. */
#ifndef AULA_RENDER_HYBRID_JSON_H
#define AULA_RENDER_HYBRID_JSON_H

#include "render/hybrid_response.h"

struct cJSON;

/* Adds "hybrid" to the JSON of a model, and sets the upper end of its valid bands, where `halves` are full. */
void add_hybrid_json(struct cJSON *json, const struct model *m, const struct hybrid_halves *halves);

/* "waves alone to 1300 Hz, image sources of 3 reflections and 100000 rays alone from 1800 Hz", fresh; NULL: no
 * memory. */
char *hybrid_text(const struct model *m, const struct hybrid_halves *halves);

#endif
