/* SPDX-License-Identifier: MIT */
/* A function in a child process with limits on memory and time, which answers over a pipe: libraries that may crash or
 * hang on a damaged file are called there alone. */
#ifndef AULA_BASE_CHILD_H
#define AULA_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct child_limits {
    double bytes;         /* of memory, beyond what this process has */
    unsigned cpu_seconds; /* of processor time */
    double wall_seconds;
};

struct child {
    pid_t id;
    int pipe; /* its answer */
};

/* `work(pipe, argument)` runs in the child, which ends after it with its result as status: nothing need be freed. It
 * has no descriptor of the parent but the pipe, no signal handlers, and can write no files. `path` stands in
 * messages. */
int child_start(struct child *c, const struct child_limits *limits, int (*work)(int pipe, void *argument),
                void *argument, const char *path, struct error *e);

enum wire_status {
    WIRE_DONE,    /* the answer is there, or the child's own failure is in *e */
    WIRE_ENDED,   /* the pipe ended early, or cannot be read */
    WIRE_LATE,    /* the deadline has passed */
    WIRE_STOPPED, /* a stop was requested */
    WIRE_REFUSED  /* what came is no answer; *e says why */
};

/* Ends the child for good and closes the pipe. 0: the answer is whole; `failed`: it is the child's own failure, in *e.
 * Else *e says what is wrong: by its wait status, what it read is damaged, or too large. `library`: what reads;
 * `remedy`: what to do instead, such as "export it as OBJ". */
int child_conclude(struct child *c, enum wire_status answer, bool failed, const char *path, const char *library,
                   const char *remedy, const struct child_limits *limits, struct error *e);

/* All bytes. Nonzero: the pipe is broken. */
int wire_put(int pipe, const void *bytes, size_t count);

/* All bytes, until `deadline` of clock_seconds(). */
enum wire_status wire_get(int pipe, double deadline, void *bytes, size_t count);

/* Control characters, which a damaged file may have put into a message, become spaces. */
void wire_clean(char *message);

#endif
