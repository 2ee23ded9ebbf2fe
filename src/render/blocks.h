/* SPDX-License-Identifier: MIT */
/* Runs a solver block by block and reports progress. */
#ifndef AULA_RENDER_BLOCKS_H
#define AULA_RENDER_BLOCKS_H

#include "render/watch.h"
#include "solver/solver.h"

struct block_outcome {
    struct audit audit;
    double seconds;       /* elapsed, waiting included, row->keep excluded */
    double audit_seconds; /* spent on audits, included in `seconds` */
    double kept_seconds;  /* spent in row->keep, not included; of a resumed run since it resumed */
    size_t audits;
    double first_step; /* seconds from the start of the program to the first step; 0: not measured */
    bool sums_lost; /* set by the caller: a resumed run whose engine could not restore absorbed and supplied energy */
    double energy_residual; /* abs(stored + absorbed - supplied) over the larger of supplied and stored; NaN: unknown */
};

struct block_row {
    size_t done; /* steps already run with this outcome, from which the run continues; all of them: nothing to do */
    size_t steps;
    size_t longest;     /* steps of a block at most; 0: no limit besides those below */
    double rate;        /* Hz: steps per second */
    size_t drive_count; /* channels */
    /* Writes drive[channel][0 .. steps - 1], rows `stride` apart, of steps first .. first + steps - 1. */
    void (*fill)(const void *context, double *drive, size_t stride, size_t first, size_t steps);
    const void *context;
    double *taps; /* [channels][steps] */
    /* Called after each block; may read the state of the solver. `stopping`: the run ends early.
     * May be NULL. */
    void (*keep)(void *keeper, size_t done, const struct block_outcome *outcome, bool stopping);
    void *keeper;
};

/* Steps between energy audits, with one more at the end. An audit takes as long as a few steps
 * (CPU: five to ten). */
enum { AUDIT_STEPS = 2000 };

/* Blocks last at most a quarter of a second, both of sound and of computing time, which keeps
 * stopping and progress prompt. On a GPU they are whole temporal blocks. The watch receives the
 * points of air stepped per second. ERROR_STOPPED if the watch asks for it. */
int blocks_run(struct block_outcome *outcome, struct solver *solver, const struct block_row *row,
               const struct watch *watch, struct error *e);

#endif
