/* SPDX-License-Identifier: MIT */
/* The state of a solver between two steps, for checks of runs that go on in another one. */
#ifndef AULA_VALIDATE_SAVED_STATE_H
#define AULA_VALIDATE_SAVED_STATE_H

#include "solver/solver.h"

enum { SAVED_ARRAYS = 2 };

struct saved_state {
    void *fields[SAVED_ARRAYS]; /* [planes][ny][nx] of the scheme's first arrays, in the problem's precision */
    size_t *bytes;              /* [planes + 1] */
    char **pieces;              /* [planes + 1] */
    size_t planes;
};

/* Also to be freed after a failure. */
int saved_state_take(struct saved_state *to, struct solver *s, const struct problem *p, struct error *e);
int saved_state_put(struct solver *s, const struct saved_state *from, const struct problem *p, struct error *e);
void saved_state_free(struct saved_state *s);

#endif
