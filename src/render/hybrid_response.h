/* SPDX-License-Identifier: MIT */
/* The hybrid response over the audible band: the wave solver up to its valid frequency, image
 * sources and rays above. */
#ifndef AULA_RENDER_HYBRID_RESPONSE_H
#define AULA_RENDER_HYBRID_RESPONSE_H

#include "dsp/measure/doubts.h"
#include "render/geometric.h"
#include "render/response.h"
#include "render/room_edges.h"
#include "room/grid/model.h"

/* Composition of a hybrid response. */
struct hybrid_halves {
    bool full;    /* false: wave solver only, all else is 0 */
    double edge;  /* Hz: upper edge of the wave solver's band; it is the only part up to CROSSOVER_LOW times this */
    double top;   /* Hz: end of the whole band; zero from 1.2 times this or half the rate on */
    size_t order; /* reflections of image sources */
    struct room_edges edges; /* free edges, once counted */
    double octave;           /* Hz: centre of the octave below the crossover, in which the parts are compared */
    /* known after a render */
    size_t image_count;             /* image paths from the sources to all positions */
    size_t rays, lost;              /* of all sources; those that escaped */
    bool rays_on_gpu;               /* a GPU traced all of them */
    struct half_pair t30, edt, c80; /* s, dB, in that octave: means over the pressure of all receivers at which both
                                       parts yield a value; NaN: none. `rays` includes image sources */
};

/* Composition of responses to `count` sources of the room, from `first`. `full` if hybrid.full asks
 * for it, the responses are filtered impulse responses, and the file carries more than the wave
 * solver's band. why [160], may be NULL: the reason if it asks in vain, else "". */
struct hybrid_halves hybrid_halves_of(const struct model *m, size_t first, size_t count, char *why);

/* Hz: end of the valid band of these responses. */
double hybrid_valid_to(const struct model *m, const struct hybrid_halves *halves);

/* Band of the geometric part. */
struct geometric_band hybrid_geometry(const struct hybrid_halves *halves);

/* *level, dB: decay of the rays after `seconds`, in the octave above the crossover that has decayed
 * least, estimated with few rays. -INFINITY without a geometric part. */
int hybrid_decay(double *level, double seconds, const struct model *m, size_t first, size_t count, struct error *e);

/* Joins both parts. `response`: from the wave solver, at the rate of the file, without low-pass
 * (FILTER_NONE). g: of `count` sources, in hybrid_geometry, of equal length; its samples are
 * overwritten. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int hybrid_join(struct response *response, struct hybrid_halves *halves, struct geometric *g, const struct model *m,
                size_t count, struct error *e);

/* Describes a hybrid response in words and as JSON. */

struct cJSON;

/* Adds "hybrid" to the JSON of a model and, if `halves` are full, raises the upper end of its valid
 * bands. */
void add_hybrid_json(struct cJSON *json, const struct model *m, const struct hybrid_halves *halves);

/* "wave solver up to 1300 Hz; image sources of up to 3 reflections and 100000 rays from 1800 to
 * 20000 Hz", fresh; NULL: out of memory. */
char *hybrid_text(const struct model *m, const struct hybrid_halves *halves);

#endif
