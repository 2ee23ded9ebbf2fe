/* SPDX-License-Identifier: MIT */
/* The geometric half: image sources and rays, which hybrid_response.h joins to waves, and alone. */
#ifndef AULA_RENDER_GEOMETRIC_H
#define AULA_RENDER_GEOMETRIC_H

#include "render/response.h"
#include "render/room_edges.h"
#include "room/grid/model.h"

/* What is spent beside room.hybrid.order and room.hybrid.rays. The last three limit it by counts of work, so that the same
 * room gets the same everywhere; 0: no limit. */
struct geometric_effort {
    size_t search, pilots;  /* rays: by which sequences of mirrors are found; late_settings.pilots */
    double tries, variance; /* of image_room_make; late_settings.variance */
    double hits;            /* of rays with faces, each as dear as one in a room of a few faces */
    double filters;         /* of ways in a box, to all places */
    double samples;         /* that filters of late sound read: of all channels and bands */
};

/* Of a render: no limit. */
extern const struct geometric_effort geometric_whole;
/* Of the first thing that one hears of a room: about a second on two cores. */
extern const struct geometric_effort geometric_first;

struct geometric_band {
    double low;    /* Hz: image sources are right from here on; below, without meaning but short */
    double octave; /* Hz: rays have bands from the octave that holds it on */
    double top;    /* Hz: flat to here, nothing from 1.2 of it or half the rate on */
    double edge;   /* Hz: of the waves that it joins; 0: none */
};

struct geometric {
    double *images, *late; /* [channels][frames] each, as early_part_add and late_part_add give them */
    size_t channels, frames;
    double rate;       /* Hz */
    size_t rays;       /* from each source */
    size_t ways, lost; /* of image sources to all places; rays that met no face */
    struct room_edges edges;
};

/* `count` sources from `first` of these gains [count], Pa m, for all channels of the room. Zero *g first; ends with
 * geometric_free, also after an error. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int geometric_make(struct geometric *g, size_t frames, double rate, const struct geometric_band *band,
                   const struct geometric_effort *effort, const struct model *m, size_t first, size_t count,
                   const double *gains, struct error *e);
void geometric_free(struct geometric *g);

/* Hz: the end of the band of a file of this rate; top [2]: flat up to the first, nothing from the second on. */
double geometric_top(double rate);
void geometric_end(double top[2], double flat, double rate);

/* The response to one source by the geometric half alone, without waves, from the octave of 125 Hz on; shorter, and
 * faded out, where the effort's limit on samples wants it. *r: as of render_sources. Errors as geometric_make. */
int geometric_response(struct response *r, const struct geometric_effort *effort, const struct model *m, size_t source,
                       struct error *e);

/* The geometric half in a thread of its own, beside waves that a GPU steps. The same bits as geometric_make's. */

struct geometric_async;

/* As geometric_make with geometric_whole, on `threads` threads (0: as many as there are). The model outlives it. */
int geometric_async_begin(struct geometric_async **aside, size_t frames, double rate, const struct geometric_band *band,
                          const struct model *m, size_t first, size_t count, const double *gains, int threads,
                          struct error *e);

/* Waits for it, and gives what geometric_make gives, to be freed in any case. Ends the aside. */
int geometric_async_end(struct geometric_async *aside, struct geometric *g, struct error *e);

/* Ends it without a result, within a moment. NULL-safe. Other renders of the process would end with it. */
void geometric_async_drop(struct geometric_async *aside);

#endif
