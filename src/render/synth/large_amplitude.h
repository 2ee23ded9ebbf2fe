/* SPDX-License-Identifier: MIT */
/* The stretching of a plate on its grid: von Kármán's equations for deflections of its thickness and more. */
#ifndef AULA_RENDER_SYNTH_LARGE_AMPLITUDE_H
#define AULA_RENDER_SYNTH_LARGE_AMPLITUDE_H

#include "render/synth/surface.h"
#include "solver/schemes/bodies/plate_stretching.h"

struct large_amplitude_fit {
    size_t functions; /* number of Airy functions */
    double weight;    /* on V: for which the stretching of the lowest mode is exact */
};

/* For a plate of `plan`, made as `surface` on `grid`; the edge is free to move in its plane. `membrane`: E H, N/m. The
 * staircase and the second differences make V too small by some percent; as plates are tuned to the pitch of their
 * lowest mode, one weight makes V exact for the shape of that mode (of a free rectangle: for its twist, of a clamped one:
 * for a polynomial like its lowest mode). Nonzero with *e filled: out of memory. Free *out with
 * plate_stretching_free in any case. */
int large_amplitude_make(struct plate_stretching **out, struct large_amplitude_fit *fit, const struct surface *surface,
                         const struct surface_grid *grid, const struct surface_plan *plan, double membrane,
                         struct error *e);

#endif
