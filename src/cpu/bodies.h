/* Bodies on the CPU engine: their state, and their step after that of the air. */
#ifndef AULA_CPU_BODIES_H
#define AULA_CPU_BODIES_H

#include "schemes/bodies/bodies.h"
#include "schemes/leapfrog/rows.h"
#include "solver/solver.h"

struct body_states;

/* NULL in *b when the problem has no bodies. -1: out of memory, with *e filled. */
int body_states_make(struct body_states **b, const struct problem *p, const struct rows *rows, struct error *e);
void body_states_free(struct body_states *b); /* NULL-safe */

/* Around the air's step from p^n: `now` is p^n, `before` p^{n-1} and `next` p^{n+1}, in the engine's padded rows (next may
 * be before). One thread calls bodies_before, which reads what the air's step overwrites, and after that step
 * bodies_begin: it sets the forces of this step (channel k at drive[k * stride]; NULL: silence) and takes back the flux across
 * cut links. Then all threads of a team call bodies_step, each for its share of the bodies, and after a barrier one calls
 * bodies_end. */
void bodies_before(struct body_states *b, const void *now, const void *before);
void bodies_begin(struct body_states *b, void *next, const double *drive, size_t stride);
void bodies_step(struct body_states *b, void *next, size_t thread, size_t team);
void bodies_end(struct body_states *b);

/* Adds the newest level of bodies to their taps, taps[channel * stride]. */
void bodies_listen(const struct body_states *b, double *taps, size_t stride);

/* Adds the energy that bodies hold, have lost and were given to the balance, and subtracts the field's sum over cut links;
 * `now` and `before` are the field's last two levels. */
void bodies_audit(const struct body_states *b, const void *now, const void *before, struct audit *a);

#endif
