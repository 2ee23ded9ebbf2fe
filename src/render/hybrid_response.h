/* SPDX-License-Identifier: MIT */
/* The response over the whole audible band: the wave half up to the edge of its valid band, the geometric half
 * above. */
#ifndef AULA_RENDER_HYBRID_RESPONSE_H
#define AULA_RENDER_HYBRID_RESPONSE_H

#include "dsp/measure/doubts.h"
#include "render/geometric.h"
#include "render/response.h"
#include "render/room_edges.h"
#include "room/grid/model.h"

/* What a file of the whole band is made of. */
struct hybrid_halves {
    bool full;               /* false: waves alone, and the rest is 0 */
    double edge;             /* Hz: waves are right up to here; alone up to CROSSOVER_LOW of it, none above */
    double top;              /* Hz: the end of the whole band; nothing is left from 1.2 of it or half the rate on */
    size_t order;            /* reflections of image sources */
    struct room_edges edges; /* free ones, once they were counted */
    double octave;           /* Hz: centre of the octave below the crossover, in which both halves are compared */
    /* after a render */
    size_t image_count;             /* ways from the sources to all places */
    size_t rays, lost;              /* of all sources; those that met no face */
    struct half_pair t30, edt, c80; /* s, dB, in that octave: means over the pressure of all receivers where both halves
                                     * have them; NaN: nowhere. Rays: image sources, too */
};

/* What responses to `count` of the room's sources, from `first`, are made of: `full` where hybrid.full asks for it, they
 * are impulse responses, filtered, and the file carries more than the waves. why [160] (may be NULL): the reason where
 * it asks for it in vain, else "". */
struct hybrid_halves hybrid_halves_of(const struct model *m, size_t first, size_t count, char *why);

/* Hz: the end of the valid band of such responses. */
double hybrid_valid_to(const struct model *m, const struct hybrid_halves *halves);

/* The band of the geometric half. */
struct geometric_band hybrid_geometry(const struct hybrid_halves *halves);

/* *level, dB: how far rays have decayed after `seconds` in the octave above the crossover in which they have least, by a few
 * rays; -INFINITY without a geometric half. */
int hybrid_decay(double *level, double seconds, const struct model *m, size_t first, size_t count, struct error *e);

/* Joins both halves. `response`: of waves, at the rate of the file, without a low-pass (FILTER_NONE); g: of `count`
 * sources, in hybrid_geometry, as long; its samples are used up. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int hybrid_join(struct response *response, struct hybrid_halves *halves, struct geometric *g, const struct model *m,
                size_t count, struct error *e);

/* What a response over the whole band is made of, in words and as JSON. */

struct cJSON;

/* Adds "hybrid" to the JSON of a model, and sets the upper end of its valid bands, where `halves` are full. */
void add_hybrid_json(struct cJSON *json, const struct model *m, const struct hybrid_halves *halves);

/* "waves alone to 1300 Hz, image sources of 3 reflections and 100000 rays alone from 1800 Hz", fresh; NULL: no
 * memory. */
char *hybrid_text(const struct model *m, const struct hybrid_halves *halves);

#endif
