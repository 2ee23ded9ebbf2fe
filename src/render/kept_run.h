/* SPDX-License-Identifier: MIT */
/* A simulation that is kept in checkpoints, and resumed from them. */
#ifndef AULA_RENDER_KEPT_RUN_H
#define AULA_RENDER_KEPT_RUN_H

#include "render/blocks.h"
#include "render/response.h"
#include "room/grid/model.h"
#include "solver/checkpoint/checkpoint.h"

/* JSON in fresh memory: all that a render is made from, but for what is in files that it names. at_once: the sources
 * first .. first + count - 1 sound together. NULL: out of memory. */
char *kept_run_text(const struct model *m, size_t first, size_t count, bool at_once);

/* Zeroed: no checkpoints. */
struct kept_run {
    struct checkpoint *checkpoint;
    struct checkpoint_job job;
    char *text;                    /* of the job */
    struct checkpoint_state saved; /* that was there: steps 0: none */
    size_t written;                /* steps of the last write */
    const struct problem *problem;
    struct solver *solver;
};

/* A checksum of drives: continues `sum`, from KEPT_RUN_SIGNALS on. How they are divided among calls matters. */
#define KEPT_RUN_SIGNALS 0xcbf29ce484222325u
uint64_t kept_run_add_signals(uint64_t sum, const double *drive, size_t count);

/* Reads what the checkpoint has of these sources, into the solver as well. signals, steps: the checksum of the drives
 * and the steps of the first run. ERROR_ENGINE for an engine that does not give the state of this room; ERROR_USAGE,
 * which names what differs, when the room's voxels, walls or signals are others. */
int kept_run_open(struct kept_run *k, struct checkpoint *c, const struct checkpoint_job *job,
                  const struct problem *problem, struct solver *solver, uint64_t signals, size_t steps,
                  struct error *e);
void kept_run_close(struct kept_run *k);

/* Copies what was saved beyond `done` steps into traces of `steps` steps, with its outcome. Returns the steps that are
 * there now: from there on the solver runs, or, where it is 0, from the first on. */
size_t kept_run_copy(struct kept_run *k, struct traces *t, struct block_outcome *outcome, size_t done, size_t steps);

/* After a block: writes a checkpoint where one is due, or where the run is stopped by SIGTERM. */
void kept_run_after_block(struct kept_run *k, const struct traces *t, const struct block_outcome *outcome, size_t done,
                          bool stopping);

/* Writes a checkpoint after `done` steps, unless there is one of them. */
void kept_run_write(struct kept_run *k, const struct traces *t, const struct block_outcome *outcome, size_t done,
                    bool complete);

#endif
