/* SPDX-License-Identifier: MIT */
/* The progress bar on stderr: a line that is redrawn on a terminal, a plain line now and then elsewhere. */
#ifndef AULA_APP_PROGRESS_H
#define AULA_APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"

struct progress {
    const char *what;
    bool quiet, terminal;
    double start, last; /* clock_seconds */
    double first;       /* likewise, when the first steps were done; what was before says nothing of the rest */
    size_t first_done;  /* these steps */
};

void progress_start(struct progress *p, const char *what, bool quiet);

/* `look` of struct watch: false once a stop was requested. */
bool progress_look(void *progress, size_t done, size_t total, double points_per_second);

/* s that the rest takes, once the speed has been seen for `known` seconds; 0 before. */
double progress_left(const struct progress *p, size_t done, size_t total, double known);

/* Clears the bar. */
void progress_end(struct progress *p);

/* Lines about the work before the first step: a thread that says what takes longer than a second. */

/* Watches the phases of the calling thread (base/phase_timer.h) until setup_watch_stop; one at a time. `what` as in a
 * progress bar, copied. Does nothing where no thread can be had. */
void setup_watch_start(const char *what, bool quiet);
void setup_watch_stop(void); /* also when none was started; waits for setup_start_engine */

/* Starts the engine of a choice in a thread of its own while the room is read and its voxels are found: a GPU takes a
 * fifth of a second. Its result, and its faults, are those of later calls. */
int setup_start_engine(const struct solver_options *choice); /* 0 */

/* With --verbose: the phases so far, and their times. */
void say_phases(const struct common_options *o);

#endif
