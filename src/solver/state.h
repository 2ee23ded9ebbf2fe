/* SPDX-License-Identifier: MIT */
/* What a solver's later steps depend on besides its arrays, taken out and put in: for parts and checkpoints.
 *
 * states   those of walls: taken from and put into a solver of the same engine, kernel and precision by planes, for
 *          parts of a grid (parts/)
 * blocks   all that the next steps and the next audit depend on besides the arrays: taken from and put into a solver of
 *          any engine, kernel and number of parts, of the same problem, for checkpoints */
#ifndef AULA_SOLVER_STATE_H
#define AULA_SOLVER_STATE_H

#include "solver/solver.h"

/* States of the walls in nz planes from z0 on, in the engine's own order: the same bytes in every solver of this
 * engine, kernel and precision whose walls are the same in these planes. ERROR_ENGINE where the engine cannot do
 * this. */
int solver_states_bytes(const struct solver *s, size_t z0, size_t nz, size_t *bytes, struct error *e);
int solver_get_states(struct solver *s, size_t z0, size_t nz, void *states, struct error *e);
int solver_put_states(struct solver *s, size_t z0, size_t nz, const void *states, struct error *e);

/* Blocks of the state besides the arrays: one of each plane, then one of the whole. After all arrays and blocks of
 * another solver of the same problem were put, steps and audits give the same bits as that solver's; the sums of an
 * audit, where the number of parts is another, up to rounding. bytes [planes + 1]. ERROR_ENGINE where the engine
 * cannot do this; ERROR_INPUT for a block of another problem. */
bool solver_has_state_blocks(const struct solver *s);
int solver_state_block_bytes(struct solver *s, size_t *bytes, struct error *e);
int solver_get_state_block(struct solver *s, size_t block, void *to, struct error *e);
int solver_put_state_block(struct solver *s, size_t block, const void *from, size_t bytes, struct error *e);

#endif
