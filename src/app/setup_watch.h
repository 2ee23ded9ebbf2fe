/* SPDX-License-Identifier: MIT */
/* Lines about the work before the first step: a thread that says what takes longer than a second. */
#ifndef AULA_APP_SETUP_WATCH_H
#define AULA_APP_SETUP_WATCH_H

#include "app/options.h"

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
