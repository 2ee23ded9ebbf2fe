/* Runs a solver block by block, with progress. */
#ifndef AULA_RENDER_BLOCKS_H
#define AULA_RENDER_BLOCKS_H

#include "render/watch.h"
#include "solver/solver.h"

struct block_row {
    size_t done; /* steps run before with the same outcome, after which it continues */
    size_t steps;
    double rate;        /* Hz: steps per second */
    uint64_t points;    /* of the grid, for the displayed speed */
    size_t drive_count; /* channels */
    /* Writes drive[channel][0 .. steps - 1], rows `stride` apart, of steps first .. first + steps - 1. */
    void (*fill)(const void *context, double *drive, size_t stride, size_t first, size_t steps);
    const void *context;
    double *taps; /* [channels][steps] */
};

struct block_outcome {
    struct audit audit;
    double seconds;       /* elapsed, including all waiting */
    double audit_seconds; /* of these, spent on audits */
    size_t audits;
    double first_step;      /* seconds from the start of the program to the first step; 0: not followed */
    double energy_residual; /* |stored + absorbed - supplied| over the larger of supplied and stored; NaN: not known */
};

/* Steps between energy audits, each of which takes as long as a few steps (CPU: five to ten); one more at the end. */
enum { AUDIT_STEPS = 2000 };

/* Blocks are at most a quarter of a second of sound and of computing time, so that stopping and progress are prompt.
 * ERROR_STOPPED when the watch says so. */
int blocks_run(struct block_outcome *outcome, struct solver *solver, const struct block_row *row,
               const struct watch *watch, struct error *e);

#endif
