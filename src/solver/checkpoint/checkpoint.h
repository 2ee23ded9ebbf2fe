/* SPDX-License-Identifier: MIT */
/* The checkpoint folder of a run: docs/guide/checkpoints.md.
 *
 * generation-1, generation-2   the state of a run between two steps of its current sources, written
 *                              alternately
 * source-N                     the complete traces of source N; sources-N-M for several sources in
 *                              one run
 *
 * Each file is either complete or absent, and describes its run. A failed write produces a warning;
 * the run continues. */
#ifndef AULA_SOLVER_CHECKPOINT_CHECKPOINT_H
#define AULA_SOLVER_CHECKPOINT_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "solver/solver.h"

struct checkpoint;

enum checkpoint_news { NEWS_DETAIL, NEWS_NOTE, NEWS_WARNING };

struct checkpoint_settings {
    const char *folder; /* created if absent */
    double every;       /* s: upper limit of the work that can be lost */
    bool resume;        /* continue from the checkpoints found; otherwise the folder must contain none */
    const char *run;    /* JSON: properties that resumed runs must share */
    void (*say)(void *context, enum checkpoint_news news, const char *line); /* passes a message to the user */
    void *context;
};

/* Locks the folder for this process and checks every file in it; damaged files are reported and
 * ignored. ERROR_USAGE if the folder belongs to another run (the message names the difference),
 * if another process uses it, or if it contains checkpoints and `resume` is not set. */
int checkpoint_open(struct checkpoint **c, const struct checkpoint_settings *settings, struct error *e);
void checkpoint_close(struct checkpoint *c); /* keeps the files; NULL-safe */

/* Removes the files of a run whose results are complete. */
void checkpoint_remove(struct checkpoint *c);

/* Whether the folder contains anything to resume; whether the last write failed. */
bool checkpoint_holds(const struct checkpoint *c);
bool checkpoint_failed(const struct checkpoint *c);

/* A run of consecutive sources. */
struct checkpoint_job {
    size_t first, count;
    const char *text; /* JSON: properties that a resumed run of these sources must share */
};

/* Accumulated numbers of a run: energies, times. */
enum { CHECKPOINT_FIGURES = 8 };

/* State of a run of some sources after `steps` steps. */
struct checkpoint_state {
    size_t steps;
    double figures[CHECKPOINT_FIGURES];
    double *traces; /* [channels][stride], of which `steps` are valid */
    size_t channels, stride;
    bool complete; /* all steps are done; the solver's state is neither needed nor present */
    bool sums;     /* when read: the sums of the energy are present, which some engines do not provide */
};

/* Whether the next generation is due, counted from the previous one or from checkpoint_begin. */
void checkpoint_begin(struct checkpoint *c);
bool checkpoint_due(const struct checkpoint *c);

/* Writes a generation or, for a complete state, only the traces (p and s are unused then). */
void checkpoint_write(struct checkpoint *c, const struct checkpoint_job *job, const struct checkpoint_state *state,
                      const struct problem *p, struct solver *s);

/* Looks up the state of this job: returns the traces in new memory, with stride = steps, and
 * restores the solver unless the state is complete. steps is 0 if there is no state. ERROR_USAGE
 * if the job differs (the message names the difference); ERROR_INPUT if the file has become
 * unreadable. */
int checkpoint_read(struct checkpoint *c, const struct checkpoint_job *job, struct checkpoint_state *state,
                    const struct problem *p, struct solver *s, struct error *e);

#endif
