/* A solver driven block by block from start to end, watched. */
#ifndef AULA_RENDER_BLOCKS_H
#define AULA_RENDER_BLOCKS_H

#include "render/watch.h"
#include "solver/solver.h"

struct block_row {
    size_t done; /* steps that were run before, with the same outcome: it goes on from there */
    size_t steps;
    double rate;        /* Hz: steps a second */
    uint64_t points;    /* of the grid, for the speed that is shown */
    size_t drive_count; /* channels */
    /* Writes drive[channel][0 .. steps - 1], rows `stride` apart, of steps first .. first + steps - 1. */
    void (*fill)(const void *context, double *drive, size_t stride, size_t first, size_t steps);
    const void *context;
    double *taps; /* [channels][steps] */
};

struct block_outcome {
    struct audit audit;
    double seconds;       /* from the first step to the last, all that was waited for in between */
    double audit_seconds; /* of these, for the audits */
    size_t audits;
    double energy_residual; /* |stored + absorbed - supplied| over what was supplied or is stored, whichever is larger;
                               NaN when not followed */
};

/* An audit of the energy takes as long as a few steps (five to ten on a CPU): one in so many, and one at the end. */
enum { AUDIT_STEPS = 2000 };

/* Blocks are a quarter of a second of sound at most, and about that long to compute, so that stopping and progress stay
 * prompt. ERROR_STOPPED when the watch says so. */
int blocks_run(struct block_outcome *outcome, struct solver *solver, const struct block_row *row,
               const struct watch *watch, struct error *e);

#endif
