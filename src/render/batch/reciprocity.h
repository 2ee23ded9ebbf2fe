/* SPDX-License-Identifier: MIT */
/* Many sources and few receivers: sources and receivers change places, and one run from each receiver gives what a
 * run from each source would.
 *
 * The response from a source of unit strength at A to a place B is that from B to A, on the grid as in the air: what
 * a source adds and what a receiver reads are the same stencil (aula validate cartesian7/reciprocity, isotropic19). It
 * holds for points that hear and sound alike in all directions, and is exact but for rounding. */
#ifndef AULA_RENDER_BATCH_RECIPROCITY_H
#define AULA_RENDER_BATCH_RECIPROCITY_H

#include "render/render.h"

/* NULL: the room's responses are computed so. Else why not. */
const char *reciprocity_fault(const struct model *m);

/* renderings [room->source_count]: the response to each source, by one run from each receiver. On failure they are
 * to be freed, too. Errors as render_sources. */
int reciprocity_render(struct rendering *renderings, const struct model *m, const struct solver_options *choice,
                       const struct watch *watch, struct error *e);

#endif
