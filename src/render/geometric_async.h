/* SPDX-License-Identifier: MIT */
/* The geometric half in a thread of its own, beside waves that a GPU steps. The same bits as geometric_make's. */
#ifndef AULA_RENDER_GEOMETRIC_ASYNC_H
#define AULA_RENDER_GEOMETRIC_ASYNC_H

#include "render/geometric.h"

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
