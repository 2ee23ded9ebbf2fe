/* SPDX-License-Identifier: MIT */
/* Runs a function in a child process with limits on memory and time; it answers over a pipe. Libraries that may crash or
 * hang on damaged files only run there. */
#ifndef AULA_BASE_CHILD_H
#define AULA_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct child_limits {
    double bytes;         /* of memory, on top of the memory of this process */
    unsigned cpu_seconds; /* of processor time */
    double wall_seconds;
    double file_bytes; /* largest file that it may write, also one in memory; 0: none */
};

struct child {
    pid_t id;
    int pipe; /* its answer */
};

/* `work(pipe, argument)` runs in the child, which ends after it with its result as status: nothing need be freed. It
 * inherits only the pipe, no other descriptors or signal handlers, and cannot write files. `path` is for messages. */
int child_start(struct child *c, const struct child_limits *limits, int (*work)(int pipe, void *argument),
                void *argument, const char *path, struct error *e);

enum wire_status {
    WIRE_DONE,    /* the answer is complete, or *e contains the child's own failure */
    WIRE_ENDED,   /* the pipe ended early, or cannot be read */
    WIRE_LATE,    /* the deadline has passed */
    WIRE_STOPPED, /* a stop was requested */
    WIRE_REFUSED  /* invalid answer; reason in *e */
};

/* Ends the child and closes the pipe. Returns 0 if the answer is complete. `failed`: the child reported its own failure in
 * *e. Otherwise the wait status determines the message in *e: the file is damaged or too large. `library`: name of the
 * reading library; `remedy`: an imperative such as "export it as OBJ". */
int child_conclude(struct child *c, enum wire_status answer, bool failed, const char *path, const char *library,
                   const char *remedy, const struct child_limits *limits, struct error *e);

/* All bytes. Nonzero: the pipe is broken. */
int wire_put(int pipe, const void *bytes, size_t count);

/* All bytes, until `deadline` of clock_seconds(). */
enum wire_status wire_get(int pipe, double deadline, void *bytes, size_t count);

/* Control characters, which a damaged file may have put into a message, become spaces. */
void wire_clean(char *message);

#endif
