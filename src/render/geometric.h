/* SPDX-License-Identifier: MIT */
/* The geometric part of a response, image sources and rays, on its own and for hybrid_response.h. */
#ifndef AULA_RENDER_GEOMETRIC_H
#define AULA_RENDER_GEOMETRIC_H

#include "render/response.h"
#include "render/room_edges.h"
#include "room/grid/model.h"

/* Effort in addition to room.hybrid.order and room.hybrid.rays. The last three members limit it by
 * counts of work, not by time, which keeps the result identical on every machine; 0: no limit. */
struct geometric_effort {
    size_t search, pilots;  /* rays that find sequences of mirrors; late_settings.pilots */
    double tries, variance; /* as of image_room_make; late_settings.variance */
    double hits;            /* hits of rays on faces, each at the cost of a room with few faces */
    double filters;         /* image paths in a box, to all positions */
    double samples;         /* samples read by filters of late sound, over all channels and bands */
    bool on_device;         /* a GPU traces the rays if it can; its index */
    int device;
};

/* For a render: no limit. */
extern const struct geometric_effort geometric_whole;
/* For the first sound of a preview: about a second on two cores. */
extern const struct geometric_effort geometric_first;

struct geometric_band {
    double low;    /* Hz: image sources are accurate above; below, the response is short but has no meaning */
    double octave; /* Hz: the bands of rays begin with the octave that contains it */
    double top;    /* Hz: flat up to here, zero from 1.2 times this or half the rate on */
    double edge;   /* Hz: upper edge of the wave solver's band to join; 0: none */
};

/* What became of the rays of all sources. */
struct late_traced {
    size_t lost;    /* escaped */
    bool on_device; /* a GPU traced them; false if the CPU traced any */
};

struct geometric {
    double *images, *late; /* [channels][frames] each, from early_part_add and late_part_add */
    size_t channels, frames;
    double rate; /* Hz */
    size_t rays; /* per source */
    size_t ways; /* image paths to all positions */
    struct late_traced traced;
    struct room_edges edges;
};

/* All channels of the room for `count` sources from `first` with gains [count], Pa m. Zero *g
 * first; free with geometric_free, after errors too. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int geometric_make(struct geometric *g, size_t frames, double rate, const struct geometric_band *band,
                   const struct geometric_effort *effort, const struct model *m, size_t first, size_t count,
                   const double *gains, struct error *e);
void geometric_free(struct geometric *g);

/* Hz: end of the band of a file at this rate. top[2]: flat up to the first, zero from the second
 * on. */
double geometric_top(double rate);
void geometric_end(double top[2], double flat, double rate);

/* The geometric response to one source without the wave solver, from the 125 Hz octave up. It is
 * shortened and faded out if effort->samples demands it. *r as of render_sources; errors as of
 * geometric_make. */
int geometric_response(struct response *r, const struct geometric_effort *effort, const struct model *m, size_t source,
                       struct error *e);

/* The geometric part on a thread of its own, while a GPU runs the wave solver. Same bits as
 * geometric_make. */

struct geometric_async;

/* Like geometric_make, on `threads` threads (0: all). The model must outlive
 * it. */
int geometric_async_begin(struct geometric_async **aside, size_t frames, double rate, const struct geometric_band *band,
                          const struct geometric_effort *effort, const struct model *m, size_t first, size_t count,
                          const double *gains, int threads, struct error *e);

/* Waits for the thread, hands over its result, which must be freed after errors too, and frees
 * `aside`. */
int geometric_async_end(struct geometric_async *aside, struct geometric *g, struct error *e);

/* Cancels the thread without a result. NULL-safe. Stops all work of the process, including other
 * renders. */
void geometric_async_drop(struct geometric_async *aside);

#endif
