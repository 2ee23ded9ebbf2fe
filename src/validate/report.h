/* SPDX-License-Identifier: MIT */
/* The table that `aula validate` prints: measured values and their bounds. */
#ifndef AULA_VALIDATE_REPORT_H
#define AULA_VALIDATE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct report {
    bool json;
    size_t passed, failed, skipped;
    struct cJSON *rows; /* with json */
};

void report_begin(struct report *r, bool json);

/* Passes for measured <= bound; NaN fails. `what`: the case and the unit. */
void report_bound(struct report *r, const char *check, double measured, double bound, const char *what, ...)
    __attribute__((format(printf, 5, 6)));

/* A figure that is reported without a bound. */
void report_figure(struct report *r, const char *check, double measured, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

/* A check that cannot run here: never counted as passed. */
void report_skip(struct report *r, const char *check, const char *reason);

/* A line of facts such as the seed. */
void report_note(struct report *r, const char *text, ...) __attribute__((format(printf, 2, 3)));

/* Prints the counts, or the JSON, which may fail. */
int report_end(struct report *r, struct error *e);

#endif
