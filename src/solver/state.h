/* SPDX-License-Identifier: MIT */
/* State of a solver besides its arrays that later steps depend on, for parts and checkpoints.
 *
 *   states   of walls, by planes: exchanged between solvers of the same engine, kernel and
 *            precision, for parts of a grid (parts/)
 *   blocks   everything besides the arrays that the next steps and the next audit depend on:
 *            exchanged between solvers of the same problem with any engine, kernel and number of
 *            parts, for checkpoints */
#ifndef AULA_SOLVER_STATE_H
#define AULA_SOLVER_STATE_H

#include "solver/solver.h"

/* States of the walls in nz planes from z0, in the engine's own order: the same bytes in every
 * solver of this engine, kernel and precision with the same walls in these planes. ERROR_ENGINE
 * if the engine does not support this. */
int solver_states_bytes(const struct solver *s, size_t z0, size_t nz, size_t *bytes, struct error *e);
int solver_get_states(struct solver *s, size_t z0, size_t nz, void *states, struct error *e);
int solver_put_states(struct solver *s, size_t z0, size_t nz, const void *states, struct error *e);

/* Blocks of the state besides the arrays: one for each plane, then one for the whole. After all
 * arrays and blocks of another solver of the same problem were put, steps and audits give the
 * same bits as in that solver; with a different number of parts, the sums of an audit agree up
 * to rounding. bytes [planes + 1]. ERROR_ENGINE if the engine does not support this; ERROR_INPUT
 * for a block of another problem. */
bool solver_has_state_blocks(const struct solver *s);
int solver_state_block_bytes(struct solver *s, size_t *bytes, struct error *e);
int solver_get_state_block(struct solver *s, size_t block, void *to, struct error *e);
int solver_put_state_block(struct solver *s, size_t block, const void *from, size_t bytes, struct error *e);

#endif
