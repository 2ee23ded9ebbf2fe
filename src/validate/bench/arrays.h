/* SPDX-License-Identifier: MIT */
/* Shared code of the benchmarks of plain-array schemes. */
#ifndef AULA_VALIDATE_BENCH_ARRAYS_H
#define AULA_VALIDATE_BENCH_ARRAYS_H

#include "io/json_build.h"
#include "solver/engine.h"
#include "validate/bench/bench.h"

struct timing {
    double step; /* s, median of five runs */
    struct solver_plan plan;
    bool applies; /* the kernel supports the problem */
};

/* Refuses options that these benchmarks do not support. */
int arrays_check_options(const struct bench_settings *o, struct error *e);

/* Times steps on arrays of fixed smooth values. A kernel that does not apply is not a failure:
 * `applies` is false, and *e holds the reason, for the case that no kernel applies. */
int arrays_time(struct timing *t, const struct problem *p, const struct solver_options *c, struct error *e);

/* "64x4x1", or "" without blocks; in the caller's buffer. */
const char *arrays_block(char text[32], const struct solver_plan *r);

/* The kernels in the table: on a GPU all kernels of a scheme, on the CPU the fastest that
 * applies. NULL beyond the last; a requested kernel is the only one. */
const char *arrays_kernel(const struct engine *engine, const struct scheme *scheme, size_t index,
                          const struct solver_options *c);

#endif
