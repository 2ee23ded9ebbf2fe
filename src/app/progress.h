/* SPDX-License-Identifier: MIT */
/* The progress bar on stderr: a line that is redrawn on a terminal, a plain line now and then elsewhere. */
#ifndef AULA_APP_PROGRESS_H
#define AULA_APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
