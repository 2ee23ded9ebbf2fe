/* SPDX-License-Identifier: MIT */
/* Shared code of the checks of the sweep and the derivative: one computation from array to
 * array, and all kernels of an engine compared with the reference. */
#ifndef AULA_VALIDATE_ARRAYS_H
#define AULA_VALIDATE_ARRAYS_H

#include "solver/engine.h"
#include "validate/validate.h"

/* Puts `input`, takes `steps` steps and gets `output`, both for the whole grid in the problem's
 * precision. */
int arrays_compute(void *output, const char *output_array, const char *input_array, const void *input, size_t steps,
                   const struct problem *p, const struct solver_options *c, struct error *e);

/* Random values of the whole grid, rounded to the precision. NULL when out of memory. */
void *arrays_random(const struct problem *p, struct random *random);

size_t arrays_points(const struct problem *p);
double arrays_value(const void *values, size_t i, enum precision precision);
void arrays_set(void *values, size_t i, enum precision precision, double value);

/* A family of random problems of one scheme. */
struct array_family {
    const struct scheme *scheme;
    size_t parameters_bytes;    /* size of the scheme's parameters */
    const char *input, *output; /* names of arrays */
    size_t steps;
    /* Sets p->points and the zeroed parameters. */
    void (*draw)(struct problem *p, void *parameters, struct random *random);
};

/* Fails unless the requested kernel, if any, is a kernel of the engine for the scheme other than
 * the reference. */
int arrays_check_name(const struct engine *engine, const struct scheme *scheme, const char *kernel, struct error *e);

/* Adds a row to the report for each kernel: the worst of `cases` random problems compared with
 * cpu/reference. */
int arrays_check_kernels(const struct array_family *family, struct validation *v, struct report *r, struct error *e);

#endif
