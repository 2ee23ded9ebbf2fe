/* SPDX-License-Identifier: MIT */
/* Watches plates at large amplitude for drift of ψ from √(2V) while they are played (solver/schemes/bodies/drift.h). */
#ifndef AULA_RENDER_SYNTH_DRIFT_WATCH_H
#define AULA_RENDER_SYNTH_DRIFT_WATCH_H

#include "render/synth/ensemble.h"
#include "solver/solver.h"

enum { DRIFT_STEPS = 200 }; /* between two looks; more in one block of play */
#define DRIFT_MAX 0.1       /* of ψ: above, warn */

struct drift_watch {
    const struct ensemble *ensemble; /* NULL: no plate stretches, or the engine does not tell its state */
    size_t block, bytes;             /* of the solver's state: that of the bodies, at its end */
    double *saved, *scratch;
    struct drift_sums *sums; /* [bodies] */
};

/* On failure, and zeroed, it may be freed. planes: of the problem's grid. */
int drift_watch_make(struct drift_watch *w, const struct ensemble *s, struct solver *solver, size_t planes,
                     struct error *e);
void drift_watch_free(struct drift_watch *w);

/* Looks at the plates between two runs of the solver. Does not allocate. */
int drift_watch_look(struct drift_watch *w, struct solver *solver, struct error *e);

/* The largest root mean square of Δ over that of ψ, in any of the intervals of 8 looks in which ψ was not faint. NaN is
 * larger than any number. */
double drift_watch_worst(const struct drift_watch *w, size_t body);

/* Adds a line for every plate that drifted by more than DRIFT_MAX. */
int drift_watch_warn(char ***lines, size_t *count, const struct drift_watch *w, const struct room *room,
                     struct error *e);

#endif
