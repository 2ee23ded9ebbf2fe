/* SPDX-License-Identifier: MIT */
/* Bodies on the CPU engine: their state, and their step, which follows that of the air. */
#ifndef AULA_SOLVER_CPU_BODIES_H
#define AULA_SOLVER_CPU_BODIES_H

#include "solver/schemes/bodies/bodies.h"
#include "solver/schemes/leapfrog/rows.h"
#include "solver/solver.h"

struct body_states;

/* Sets *b to NULL when the problem has no bodies. -1: out of memory, with *e filled. */
int body_states_make(struct body_states **b, const struct problem *p, const struct rows *rows, struct error *e);
void body_states_free(struct body_states *b); /* NULL-safe */

/* One step of bodies around the air's step from p^n. `now` is p^n, `before` p^{n-1}, `next`
 * p^{n+1}, in the engine's padded rows; next may be before.
 *
 * Order of calls: one thread calls bodies_before, which saves the values that the air's step
 * overwrites. After the air's step, one thread calls bodies_begin, which sets the forces of this
 * step (channel k at drive[k * stride]; NULL: silence) and undoes the flux across cut links. Then
 * all threads call bodies_step, each for its share of the bodies. After a barrier, one thread calls
 * bodies_end. */
void bodies_before(struct body_states *b, const void *now, const void *before);
void bodies_begin(struct body_states *b, void *next, const double *drive, size_t stride);
void bodies_step(struct body_states *b, void *next, size_t thread, size_t team);
void bodies_end(struct body_states *b);

/* Adds the newest level of the bodies to their taps, taps[channel * stride]. */
void bodies_read_taps(const struct body_states *b, double *taps, size_t stride);

/* Adds the energy that bodies store, have lost and have received to the balance, and subtracts
 * the field's sum over cut links. `now` and `before` are the last two levels of the field. */
void bodies_audit(const struct body_states *b, const void *now, const void *before, struct audit *a);

/* The state of all bodies between two steps, for leapfrog_state_blocks.c; `out` copies it to
 * `saved`, otherwise it is restored from there. */
size_t body_states_bytes(const struct body_states *b);
void body_states_copy(struct body_states *b, char *saved, bool out);

#endif
