/* The CPU engine's bodies: their state, and their step after the air's. */
#ifndef AULA_CPU_BODIES_H
#define AULA_CPU_BODIES_H

#include "scheme/bodies.h"
#include "scheme/rows.h"
#include "solver.h"

struct body_states;

/* NULL in *b when the problem has no bodies. -1: out of memory, with *e filled. */
int body_states_make(struct body_states **b, const struct problem *p, const struct rows *rows, int threads,
                     struct error *e);
void body_states_free(struct body_states *b); /* NULL-safe */

/* Around the air's step from p^n: `now` is p^n, `before` p^{n-1} and `next` p^{n+1}, in the engine's padded rows (next may
 * be before). bodies_before reads what the step overwrites; bodies_step steps the bodies and mends the air around them.
 * drive: of this step, channel k at drive[k * stride]; NULL: silence. */
void bodies_before(struct body_states *b, const void *now, const void *before);
void bodies_step(struct body_states *b, void *next, const double *drive, size_t stride);

/* Adds what taps on bodies hear now to taps[channel * stride]. */
void bodies_listen(const struct body_states *b, double *taps, size_t stride);

/* Adds what bodies hold, have lost and were given to the balance, and takes out of it what the field's own sum counts for
 * links that are cut; `now` and `before` are the field's last two levels. */
void bodies_audit(const struct body_states *b, const void *now, const void *before, struct audit *a);

#endif
