/* SPDX-License-Identifier: MIT */
/* Measures where the time of a run goes, by named, nested phases of one thread. Time counts for the innermost phase, and
 * time outside all phases is reported as well, so that the list adds up to the whole. Threads without an open log record
 * nothing, so libraries may name phases anywhere. */
#ifndef AULA_BASE_PHASE_TIMER_H
#define AULA_BASE_PHASE_TIMER_H

#include <stdbool.h>
#include <stddef.h>

enum { PHASES_MAX = 32, PHASES_DEPTH = 8 };

#define PHASE_STEPPING "stepping" /* the time steps of the wave solver */

struct phase {
    const char *name; /* activity, "finding the wall points" */
    double seconds;   /* summed over all its turns */
    double processor; /* s of processor time of all threads of the process meanwhile */
};

/* The log of the calling thread; from its opening to phase_timer_close. */
void phase_timer_open(void);
void phase_timer_close(void);

/* `name` lives as long as the program. Begin and end are paired. */
void phase_begin(const char *name);
void phase_end(void);

/* As phase_begin, for an activity that shows its own progress: phase_timer_now does not name it, and its end calls
 * nobody. */
void phase_begin_shown(const char *name);

/* Work of another thread while phases went on; counts in phase_timer_beside alone. Any thread may call it. */
void phase_add_beside(const char *name, double seconds);

/* Seconds since the log was opened; 0: this thread has none. */
double phase_timer_elapsed(void);

/* Phases in the order in which they first began; returns their number. */
size_t phase_timer_list(struct phase list[PHASES_MAX]);

/* The time since the log was opened that no phase had. */
struct phase phase_timer_rest(void);

/* What phase_add_beside was told, as phase_timer_list; `processor` is 0, since processor time is known for all threads
 * together only. */
size_t phase_timer_beside(struct phase list[PHASES_MAX]);

/* For another thread: the outermost phase of the opened log, and for how long it has been in progress; false: there is
 * none. */
bool phase_timer_now(const char **name, double *seconds);

/* Calls `rest` in the recording thread whenever an outermost phase ends; NULL: stops calling. */
void phase_timer_at_rest(void (*rest)(void));

#endif
