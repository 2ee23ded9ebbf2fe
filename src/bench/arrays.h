/* What the benchmarks of the plain-array schemes share. */
#ifndef AULA_BENCH_ARRAYS_H
#define AULA_BENCH_ARRAYS_H

#include "bench/bench.h"
#include "io/json_print.h"

struct timing {
    double step; /* s, median of five runs */
    struct requirement requirement;
    bool applies; /* the kernel can do this problem */
};

/* What the three benchmarks do not take is refused. */
int arrays_check_options(const struct bench_settings *o, struct error *e);

/* Times steps on arrays of fixed smooth values. A kernel that does not apply is no failure: applies is false, and *e has
 * the reason, for when no kernel applies at all. */
int arrays_time(struct timing *t, const struct problem *p, const struct choice *c, struct error *e);

/* "64x4x1", or "" where there are no blocks; in a buffer of the caller. */
const char *arrays_block(char text[32], const struct requirement *r);

/* Kernels worth a row: on a GPU all of a scheme, on the CPU the fastest that applies. NULL beyond the last; a kernel that
 * the choice names is the only one. */
const char *arrays_kernel(const struct engine *engine, const struct scheme *scheme, size_t index,
                          const struct choice *c);

#endif
