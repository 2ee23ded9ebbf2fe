/* Drives of each source on the grid. */
#ifndef AULA_MODEL_SOURCES_H
#define AULA_MODEL_SOURCES_H

#include "model/model.h"
#include "space/integrators.h"

/* Fills m->sources: the drives of each source in turn, scaled by λ²/X. An omni source has one; a pattern has one for its
 * order 0 and one for its order 1, whose signals are filtered by sources_integrator. Fails as placement_make; the caller
 * frees those placed before. */
int sources_place(struct model *m, struct error *e);

/* The order of a drive of m->sources. */
int sources_drive_order(const struct room *room, size_t drive);

/* R^n/θ_n(sR/c): the pattern is known at R = 10 m, so it is bounded at 0 Hz and a pattern there is that of the room file. */
struct integrator sources_integrator(double sound_speed);

#endif
