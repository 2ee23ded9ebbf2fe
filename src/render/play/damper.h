/* SPDX-License-Identifier: MIT */
/* A damper on a string: while it rests there, every mode decays at least as fast as DAMPER_T60.
 *
 * The coefficients of a line change between two blocks; the CPU engine reads them in every step, other engines copy
 * them. With gain g, a mode q⁺ = a q - b q⁻ + g f is an oscillator of mass M = k²(1 + b)/2g and stiffness
 * K = (2 - 2a/(1 + b)) M/k² (theory (61)). The damper lowers b to 10^(-6k/T60) and a in proportion to 1 + b, so that K/M
 * stays. The energy falls in the ratio of the masses when the damper comes down, by 0.14 % at 48 kHz, and rises in the
 * same ratio when it leaves: over both it never grows. */
#ifndef AULA_RENDER_PLAY_DAMPER_H
#define AULA_RENDER_PLAY_DAMPER_H

#include <stdbool.h>

#include "base/error.h"
#include "solver/schemes/bodies/bodies.h"

#define DAMPER_T60 0.1 /* s */

struct damper {
    double *now, *before; /* [modes] of the line */
    double *free, *damped;
    size_t modes;
    bool rests;
};

/* For a line whose arrays `now` and `before` outlive the damper. k: time step, s. A line whose end moves a surface is
 * left without (d->modes is 0) if its modes would become too light for the mass of that end. */
int damper_make(struct damper *d, const struct line_body *line, double k, struct error *e);
void damper_free(struct damper *d); /* safe on a zeroed struct */

/* Between two blocks; does not allocate. Nothing happens to a line without a damper. */
void damper_set(struct damper *d, bool rests);

#endif
