/* SPDX-License-Identifier: MIT */
/* The state of a solver between two steps, for checks of runs resumed in another one. */
#ifndef AULA_VALIDATE_SAVED_STATE_H
#define AULA_VALIDATE_SAVED_STATE_H

#include "solver/solver.h"

enum { SAVED_ARRAYS = 2 };

struct saved_state {
    void *fields[SAVED_ARRAYS]; /* [planes][ny][nx] for the first arrays of the scheme, in the problem's precision */
    size_t *bytes;              /* [planes + 1] */
    char **pieces;              /* [planes + 1] */
    size_t planes;
};

/* Must be freed also after a failure. */
int saved_state_take(struct saved_state *to, struct solver *s, const struct problem *p, struct error *e);
int saved_state_put(struct solver *s, const struct saved_state *from, const struct problem *p, struct error *e);
void saved_state_free(struct saved_state *s);

#endif
