/* SPDX-License-Identifier: MIT */
/* Runs a solver block by block, with progress. */
#ifndef AULA_RENDER_BLOCKS_H
#define AULA_RENDER_BLOCKS_H

#include "render/watch.h"
#include "solver/solver.h"

struct block_outcome {
    struct audit audit;
    double seconds;       /* elapsed, including all waiting, without what row->keep takes */
    double audit_seconds; /* of these, spent on audits */
    double kept_seconds;  /* besides these, spent in row->keep; of a resumed run since it was resumed */
    size_t audits;
    double first_step; /* seconds from the start of the program to the first step; 0: not followed */
    bool sums_lost;    /* set by the caller: a resumed run whose engine did not give absorbed and supplied energy */
    double energy_residual; /* |stored + absorbed - supplied| over the larger of supplied and stored; NaN: not known */
};

struct block_row {
    size_t done; /* steps run before with the same outcome, after which it continues; all: nothing is done */
    size_t steps;
    double rate;        /* Hz: steps per second */
    size_t drive_count; /* channels */
    /* Writes drive[channel][0 .. steps - 1], rows `stride` apart, of steps first .. first + steps - 1. */
    void (*fill)(const void *context, double *drive, size_t stride, size_t first, size_t steps);
    const void *context;
    double *taps; /* [channels][steps] */
    /* After each block: may take the state of the solver. `stopping`: the run ends here, before its last step. May be
     * NULL. */
    void (*keep)(void *keeper, size_t done, const struct block_outcome *outcome, bool stopping);
    void *keeper;
};

/* Steps between energy audits, each of which takes as long as a few steps (CPU: five to ten); one more at the end. */
enum { AUDIT_STEPS = 2000 };

/* Blocks are at most a quarter of a second of sound and of computing time, so that stopping and progress are prompt,
 * and on a GPU whole temporal blocks. The watch is told the points of air that are stepped in a second.
 * ERROR_STOPPED when the watch says so. */
int blocks_run(struct block_outcome *outcome, struct solver *solver, const struct block_row *row,
               const struct watch *watch, struct error *e);

#endif
