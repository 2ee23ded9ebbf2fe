/* SPDX-License-Identifier: MIT */
/* A surface under construction: nodes and tuned stiffness over mass. */
#ifndef AULA_RENDER_SYNTH_SURFACE_DRAFT_H
#define AULA_RENDER_SYNTH_SURFACE_DRAFT_H

#include "render/synth/plate_tune.h"

struct draft {
    const struct surface_plan *plan;
    struct surface_grid grid;
    struct stiffness stiffness; /* over the root of both nodes' masses */
    uint8_t *active;
    double (*matrices)[REACH_COUNT]; /* L, K; of a plate also its parts */
    double *lightness;               /* [ny][nx]: struct surface */
    double bound;                    /* row sum of k² K + 4 σ1 k L: stable up to 4 */
};

/* Sets the spacings for a number of cells along the radius or the longer side. */
void draft_space_out(struct surface_grid *g, const struct surface_plan *p, size_t cells);

/* `exact`: modes of a plate. A plate far above the stability limit is not tuned. Nonzero with *e filled: out of memory,
 * or stopped on request. Call draft_free in any case. */
int draft_make(struct draft *d, const struct surface_plan *p, size_t cells, const struct plate_modes *exact,
               struct error *e);
void draft_free(struct draft *d);

#endif
