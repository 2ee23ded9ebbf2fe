/* SPDX-License-Identifier: MIT */
/* Checks of a scheme, or of its walls, against exact answers; one file for each check, and one
 * or more rows of a table. */
#ifndef AULA_VALIDATE_VALIDATE_H
#define AULA_VALIDATE_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/random.h"
#include "solver/engine.h"
#include "solver/solver.h"

/* The table that `aula validate` prints: measured values and their bounds. */

struct report {
    bool json;
    size_t passed, failed, skipped;
    struct cJSON *rows; /* with json */
};

void report_begin(struct report *r, bool json);

/* Passes if measured <= bound; NaN fails. `what`: the case, the quantity and its unit. */
void report_bound(struct report *r, const char *check, double measured, double bound, const char *what, ...)
    __attribute__((format(printf, 5, 6)));

/* A value that is reported without a bound. */
void report_figure(struct report *r, const char *check, double measured, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

/* A check that cannot run on this machine; never counted as passed. */
void report_skip(struct report *r, const char *check, const char *reason);

/* A line of information, such as the seed. */
void report_note(struct report *r, const char *text, ...) __attribute__((format(printf, 2, 3)));

/* Prints the counts, or the JSON, which may fail. */
int report_end(struct report *r, struct error *e);

struct validation {
    struct solver_options choice;
    unsigned webb_variant; /* of Webb's kernels: solver/schemes/leapfrog/leapfrog.h */
    bool full;
    bool named;                             /* this check was selected by its own name */
    int cases;                              /* random cases of a check; 0: its default */
    const char *models;                     /* folder of models that are not shipped; NULL: none */
    struct random random;                   /* its seed was printed */
    int devices[DEVICES_MAX], device_count; /* GPUs for parts of a grid; 0: choice.device alone */
};

/* Assigns GPUs to parts, up to one per part. */
static inline void validation_share(const struct validation *v, struct solver_options *c)
{
    c->device_count = v->device_count < c->parts.count ? v->device_count : c->parts.count;
    for (int i = 0; i < c->device_count; i++)
        c->devices[i] = v->devices[i];
}

/* Number of kernels of an engine for a scheme. */
static inline size_t validation_kernels(const struct engine *engine, const struct scheme *scheme)
{
    size_t count = 0;
    while (engine->kernel_name(scheme, count))
        count++;
    return count;
}

struct check {
    const char *name;
    /* Adds rows to the report. Nonzero: the check itself could not run. */
    int (*run)(struct validation *v, struct report *r, struct error *e);
};

/* A problem run to its end, for inspection. */
struct scenario {
    const char *input;  /* a shipped data file */
    const char *prefix; /* default prefix of the names of the output files */
    int (*run)(const char *path, const char *prefix, const struct solver_options *c, struct error *e);
};

#endif
