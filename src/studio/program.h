/* SPDX-License-Identifier: MIT */
/* Runs this program with other words, as the user would on a command line. Work in a process of its own can be stopped at
 * once, and its failure ends nothing else. */
#ifndef AULA_STUDIO_PROGRAM_H
#define AULA_STUDIO_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What a running program prints; called on the thread of program_run. */
struct program_watch {
    void (*line)(void *context, const char *line); /* of standard output; may be NULL */
    void (*progress)(void *context, double share, double left,
                     const char *what); /* left, s: NaN if unknown; may be NULL */
    void *context;
    atomic_bool *stop; /* set: the program is stopped; NULL: it is not */
};

struct program_result {
    char *text;  /* standard output, fresh */
    char *notes; /* the lines of standard error but progress, fresh */
    int status;  /* exit status; 128 + signal */
};

/* words: [..., NULL] after the program's name. folder: its current folder; input: its standard input, or NULL. The result
 * is freed with program_result_free. Returns 0 if the program ran, whatever its status. ERROR_STOPPED; ERROR_FAILED: it could
 * not be started, or took longer than `seconds`. */
int program_run(struct program_result *r, const char *const *words, const char *folder, const char *input,
                double seconds, const struct program_watch *watch, struct error *e);
void program_result_free(struct program_result *r);

#endif
