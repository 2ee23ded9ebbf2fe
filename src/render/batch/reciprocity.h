/* SPDX-License-Identifier: MIT */
/* Reciprocity for many sources and few receivers: both swap roles, and a run from each receiver
 * replaces a run from each source.
 *
 * The response from a source of unit strength at A to a position B equals that from B to A, on the
 * grid as in air, because source and receiver use the same stencil (aula validate
 * cartesian7/reciprocity, isotropic19). This requires omnidirectional sources and receivers, and is
 * exact except for rounding. */
#ifndef AULA_RENDER_BATCH_RECIPROCITY_H
#define AULA_RENDER_BATCH_RECIPROCITY_H

#include "render/render.h"

/* NULL if the room's responses can be computed by reciprocity, else the reason against it. */
const char *reciprocity_fault(const struct model *m);

/* renderings [room->source_count]: the response to each source, from one run per receiver. Free
 * them after failures too. Errors as of render_sources. */
int reciprocity_render(struct rendering *renderings, const struct model *m, const struct solver_options *choice,
                       const struct watch *watch, struct error *e);

#endif
