/* SPDX-License-Identifier: MIT */
/* A simulation that writes checkpoints and resumes from them. */
#ifndef AULA_RENDER_KEPT_RUN_H
#define AULA_RENDER_KEPT_RUN_H

#include "render/blocks.h"
#include "render/response.h"
#include "room/grid/model.h"
#include "solver/checkpoint/checkpoint.h"

/* JSON in fresh memory: every input of a render except the contents of the files it names. at_once:
 * the sources first .. first + count - 1 sound together. NULL: out of memory. */
char *kept_run_text(const struct model *m, size_t first, size_t count, bool at_once);

/* Zeroed: no checkpoints. */
struct kept_run {
    struct checkpoint *checkpoint;
    struct checkpoint_job job;
    char *text;                    /* describes the job */
    struct checkpoint_state saved; /* as read; steps 0: none */
    size_t written;                /* steps at the last write */
    const struct problem *problem;
    struct solver *solver;
};

/* A checksum of drives that continues `sum`, initially KEPT_RUN_SIGNALS. It depends on how the
 * drives are divided among calls. */
#define KEPT_RUN_SIGNALS 0xcbf29ce484222325u
uint64_t kept_run_add_signals(uint64_t sum, const double *drive, size_t count);

/* Reads the checkpoint of these sources and restores the state of the solver. signals, steps:
 * checksum of the drives, and steps of the first run. ERROR_ENGINE if the engine cannot save the
 * state of this room. ERROR_USAGE names the difference if voxels, walls or signals have changed. */
int kept_run_open(struct kept_run *k, struct checkpoint *c, const struct checkpoint_job *job,
                  const struct problem *problem, struct solver *solver, uint64_t signals, size_t steps,
                  struct error *e);
void kept_run_close(struct kept_run *k);

/* Copies the saved samples beyond `done` steps into traces of `steps` steps, with the outcome.
 * Returns the steps that are complete; the solver continues from there, or from the start if it is
 * 0. */
size_t kept_run_copy(struct kept_run *k, struct traces *t, struct block_outcome *outcome, size_t done, size_t steps);

/* Writes a checkpoint after a block if one is due or SIGTERM stops the run. */
void kept_run_after_block(struct kept_run *k, const struct traces *t, const struct block_outcome *outcome, size_t done,
                          bool stopping);

/* Writes a checkpoint after `done` steps unless it exists. */
void kept_run_write(struct kept_run *k, const struct traces *t, const struct block_outcome *outcome, size_t done,
                    bool complete);

#endif
