/* SPDX-License-Identifier: MIT */
/* Measures the set-up time of a run by named, nested phases of one thread. Time counts for the innermost phase. Threads
 * without an open log record nothing, so libraries may name phases anywhere. */
#ifndef AULA_BASE_PHASE_TIMER_H
#define AULA_BASE_PHASE_TIMER_H

#include <stdbool.h>
#include <stddef.h>

enum { PHASES_MAX = 32, PHASES_DEPTH = 8 };

struct phase {
    const char *name; /* activity, "finding the wall points" */
    double seconds;   /* summed over all its turns */
};

/* The log of the calling thread; from its opening to phase_timer_close. */
void phase_timer_open(void);
void phase_timer_close(void);

/* `name` lives as long as the program. Begin and end are paired. */
void phase_begin(const char *name);
void phase_end(void);

/* Seconds since the log was opened; 0: this thread has none. */
double phase_timer_elapsed(void);

/* Phases in the order in which they first began; returns their number. */
size_t phase_timer_list(struct phase list[PHASES_MAX]);

/* For another thread: the outermost phase of the opened log, and for how long it has been in progress; false: there is
 * none. */
bool phase_timer_now(const char **name, double *seconds);

/* Calls `rest` in the recording thread whenever an outermost phase ends; NULL: stops calling. */
void phase_timer_at_rest(void (*rest)(void));

#endif
