/* SPDX-License-Identifier: MIT */
/* Runs that are kept in a folder and resumed: --checkpoint, --checkpoint-interval, --resume. */
#ifndef AULA_APP_CHECKPOINTS_H
#define AULA_APP_CHECKPOINTS_H

#include "app/options.h"
#include "app/progress.h"
#include "room/grid/model.h"
#include "solver/checkpoint/checkpoint.h"

struct checkpoint_options {
    const char *folder; /* --checkpoint; NULL: none */
    const char *every;  /* as typed */
    bool resume;
};

extern const struct option_row option_checkpoint, option_every, option_resume;

/* ERROR_USAGE for --checkpoint-interval or --resume alone, and for what is no time. */
int checkpoints_check(const struct checkpoint_options *o, struct error *e);

/* *c is NULL without --checkpoint. run: JSON that says what runs must have in common; it is freed; NULL with --checkpoint:
 * ERROR_MEMORY. */
int checkpoints_open(struct checkpoint **c, const struct checkpoint_options *o, char *run,
                     const struct common_options *common, struct error *e);

/* Says in the error of a run that was stopped what can be resumed: ERROR_SUSPENDED after SIGTERM, unless the state
 * could not be written and is not there. c may be NULL. */
void checkpoints_tell(const struct checkpoint *c, const struct checkpoint_options *o, struct error *e);

/* A run in progress. */
struct looking {
    struct progress progress;
    const struct checkpoint_options *options;
    bool quiet;
    bool *suggested; /* that it be kept */
};
/* `look` of struct watch: progress_look, and once a suggestion, when a run without checkpoints has long to go. */
bool checkpoints_look(void *looking, size_t done, size_t total, double points_per_second);

#endif
