/* SPDX-License-Identifier: MIT */
/* The folder of a run's checkpoints: docs/guide/checkpoints.md.
 *
 * generation-1, generation-2   the state of a run between two steps of its present sources, written in turn
 * source-N                     the complete traces of source N, or sources-N-M of several at once
 *
 * Each file is complete or absent, and says of which run it is. A failure to write one is told, and costs nothing
 * else. */
#ifndef AULA_SOLVER_CHECKPOINT_CHECKPOINT_H
#define AULA_SOLVER_CHECKPOINT_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "solver/solver.h"

struct checkpoint;

enum checkpoint_news { NEWS_DETAIL, NEWS_NOTE, NEWS_WARNING };

struct checkpoint_settings {
    const char *folder; /* made when it is not there */
    double every;       /* s: at most so much work is lost */
    bool resume;        /* goes on with what is there; else nothing may be there */
    const char *run;    /* JSON: what runs must have in common */
    void (*say)(void *context, enum checkpoint_news news, const char *line); /* a line for the user */
    void *context;
};

/* Takes the folder for this process and checks every file in it: damaged ones are told of and left out. ERROR_USAGE
 * for a folder of another run, which names what differs, for one that another process uses, and for one with
 * checkpoints that are not to be resumed. */
int checkpoint_open(struct checkpoint **c, const struct checkpoint_settings *settings, struct error *e);
void checkpoint_close(struct checkpoint *c); /* keeps the files; NULL-safe */

/* Removes the files: of a run whose results are complete. */
void checkpoint_remove(struct checkpoint *c);

/* Whether the folder holds anything to resume; whether the last attempt to write failed. */
bool checkpoint_holds(const struct checkpoint *c);
bool checkpoint_failed(const struct checkpoint *c);

/* A run of some sources: the first and how many. */
struct checkpoint_job {
    size_t first, count;
    const char *text; /* JSON: what the run of these sources must have in common with the one that is resumed */
};

/* The figures of a run so far: energies, times. */
enum { CHECKPOINT_FIGURES = 8 };

/* A run of some sources after `steps` steps. */
struct checkpoint_state {
    size_t steps;
    double figures[CHECKPOINT_FIGURES];
    double *traces; /* [channels][stride], `steps` of each */
    size_t channels, stride;
    bool complete; /* of all steps: the solver's state is not needed, and not there */
    bool sums;     /* read: with the sums of the energy, which some engines do not give */
};

/* Whether the next generation is due; from the last one, or the begin of the first run, on. */
void checkpoint_begin(struct checkpoint *c);
bool checkpoint_due(const struct checkpoint *c);

/* Writes a generation, or, when complete, the traces alone (p and s are not used then). */
void checkpoint_write(struct checkpoint *c, const struct checkpoint_job *job, const struct checkpoint_state *state,
                      const struct problem *p, struct solver *s);

/* Finds what the folder holds of this job: traces in fresh memory, which stride = steps, and, unless complete, puts the
 * state into the solver. Nothing there: steps is 0. ERROR_USAGE, which names what differs, when the job is another;
 * ERROR_INPUT when the file cannot be read any more. */
int checkpoint_read(struct checkpoint *c, const struct checkpoint_job *job, struct checkpoint_state *state,
                    const struct problem *p, struct solver *s, struct error *e);

#endif
