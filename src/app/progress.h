/* SPDX-License-Identifier: MIT */
/* Progress on stderr: a bar that is redrawn on a terminal, a line every ten seconds elsewhere, or the lines that
 * AULA_PROGRESS=lines asks for. */
#ifndef AULA_APP_PROGRESS_H
#define AULA_APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"

struct progress {
    const char *what;
    bool quiet, terminal;
    bool lines;         /* AULA_PROGRESS=lines: for a program that reads them */
    double start, last; /* clock_seconds */
    double first;       /* clock_seconds after the first steps; the remaining time is extrapolated from here */
    size_t first_done;  /* the number of steps done then */
};

void progress_start(struct progress *p, const char *what, bool quiet);

/* `look` of struct watch; returns false after a stop was requested. */
bool progress_look(void *progress, size_t done, size_t total, double points_per_second);

/* Estimated remaining time in s; 0 until the speed was observed for `known` seconds. */
double progress_left(const struct progress *p, size_t done, size_t total, double known);

/* Clears the bar. */
void progress_end(struct progress *p);

/* Starts a thread that prints the phases of the calling thread (base/phase_timer.h) that take longer than a second,
 * until setup_watch_stop. At most one watch runs. `what` names the work as in a progress bar and is copied. Does nothing
 * if the thread cannot be created. */
void setup_watch_start(const char *what, bool quiet);
void setup_watch_stop(void); /* no-op without a watch; waits for setup_start_engine */

/* Initializes the chosen engine in a thread while the room is read and voxelized: a GPU takes about 0.2 s. Errors
 * surface in the later calls that use the engine. Returns 0. */
int setup_start_engine(const struct solver_options *choice);

/* With --verbose: prints the phases so far with their times. */
void say_phases(const struct common_options *o);

#endif
