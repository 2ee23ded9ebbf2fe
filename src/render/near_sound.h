/* SPDX-License-Identifier: MIT */
/* Corrects the direct sound near a source.
 *
 * The stencils of a source and of a receiver are exact for waves from afar. If they overlap, or
 * nearly do, the direct sound on the grid is off by several dB. For each pair that sees each other
 * at less than DIRECT_SOUND_SPACINGS, the same stencils are therefore stepped in free air
 * (solver/schemes/free_air.h), and
 *
 *     record += drive * c,   C(f) = E(f) - G(f)        theory (46)
 *
 * with G the direct sound of the grid and E that of air, at the frequencies of the grid if a map
 * follows. With d the unit vector from the receiver to the source, r their distance, x = sr/c, and
 * f(v) the product of the receiver's pattern towards v and the source's towards -v, harmonics of
 * the orders m and n,
 *
 *     E = (s/c)^(m+n) Σ_l f_l(d) θ_l(x)/x^l e^{-x}/(4πr),   f_l the part of f of degree l
 *
 * since a stencil of order n is the harmonic Y_n(∇), and Y_l(∇) e^{-x}/r = (s/c)^l Y_l(d)
 * θ_l(x)/x^l e^{-x}/r (dsp/space/integrators.h). c is a causal least-squares filter of
 * NEAR_SOUND_TAPS samples over the band of the response. The grid's error remains in reflections
 * close to both, in orders nearer than ORDERS_NEAREST, and for an ambisonic receiver of order 4
 * beside a source of order 4. */
#ifndef AULA_RENDER_NEAR_SOUND_H
#define AULA_RENDER_NEAR_SOUND_H

#include <stdbool.h>
#include <stddef.h>

#include "render/excitation.h"
#include "render/response.h"
#include "room/grid/placement.h"

enum { NEAR_SOUND_TAPS = 60, NEAR_SOUND_STEPS = 96, NEAR_SOUND_FADE = 32 };

struct near_pair {
    size_t source, drive, tap;      /* source: of the room; drive, tap: indices in m->sources and m->receivers */
    double filter[NEAR_SOUND_TAPS]; /* c */
    bool apart;                     /* its direct sound takes a causal integrator (render/directions.h) */
    double direct[NEAR_SOUND_TAPS]; /* E in the time domain, if apart */
};

struct near_sound {
    struct near_pair *pairs;
    size_t count;
};

/* Whether there are any pairs; a cheap test. */
bool near_sound_is_needed(const struct model *m, size_t first, size_t count);

/* For sources first .. first + count - 1; none if the raw field is requested. Free with
 * near_sound_free. ERROR_MEMORY, ERROR_STOPPED. */
int near_sound_make(struct near_sound *near, const struct model *m, size_t first, size_t count, struct error *e);
void near_sound_free(struct near_sound *near); /* safe on a zeroed struct */

/* *corrected, fresh: a corrected copy of the record. excitations[]: of the sources from `first`,
 * with their onsets on step `onset`, as stepped. */
int near_sound_add(struct traces *corrected, const struct traces *record, const struct near_sound *near,
                   const struct model *m, size_t first, const struct excitation *excitations, size_t onset,
                   struct error *e);

/* The direct sound of `apart` pairs in isolation, as recorded in air. */
struct near_direct {
    size_t count;
    size_t *tap;          /* [count] */
    struct traces traces; /* [count][frames] */
};

/* For a record of this many frames. Free with near_direct_free. */
int near_direct_make(struct near_direct *direct, const struct near_sound *near, const struct traces *record,
                     const struct model *m, size_t first, const struct excitation *excitations, size_t onset,
                     struct error *e);
void near_direct_free(struct near_direct *direct); /* safe on a zeroed struct */

#endif
