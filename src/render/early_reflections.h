/* SPDX-License-Identifier: MIT */
/* A list of the first reflections between the sources and receivers of a room, with their paths. */
#ifndef AULA_RENDER_EARLY_REFLECTIONS_H
#define AULA_RENDER_EARLY_REFLECTIONS_H

#include <stdbool.h>

#include "render/image_room.h"

struct early_reflection {
    double time;         /* s after the direct sound */
    double level;        /* dB re the direct sound; -INFINITY: silent, NaN: the direct sound is silent */
    size_t order;        /* reflections */
    double (*points)[3]; /* [order + 2], m: source, each reflection in turn, receiver */
    uint32_t *materials; /* [order], of the room */
};

/* The reflections of one source at one receiver. */
struct early_reflections {
    struct early_reflection *list; /* [count], sorted by time */
    size_t count, found;           /* found: before the limit to the first `most` */
    double distance, arrival;      /* m, s: of the direct sound, from the emission on */
    bool blocked;                  /* the direct sound is; it counts nevertheless */
};

enum { EARLY_REFLECTIONS_MOST = 200 };
extern const double early_reflections_window; /* s after the direct sound: 0.1 */

/* Finds the first EARLY_REFLECTIONS_MOST paths of image sources in the window, up to the order of
 * the room. An array listens at its first place.
 *
 * The level compares energies of pink noise in the octaves from 125 Hz to 4 kHz, theory (77):
 *
 *     L = 10 lg Σ_b <|P|²>_b / Σ_b <|P0|²>_b,
 *
 * with the mean over the frequencies of each octave b, P with the walls, scattering, edges, air and
 * the directivity of the source, and P0 that of the direct sound, as if nothing blocked it. The
 * directivity of the receiver does not count.
 *
 * Zero *r first; free with early_reflections_free, after errors too. ERROR_MEMORY, ERROR_INPUT,
 * ERROR_STOPPED. */
int early_reflections_find(struct early_reflections *r, const struct image_room *images, const struct model *m,
                           size_t source, size_t receiver, struct error *e);
void early_reflections_free(struct early_reflections *r); /* safe on a zeroed struct */

#endif
